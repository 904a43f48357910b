#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_waits - verbs that show who waits: for what, for whom, and how long
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF: presets need it"

# status COMMAND...: its exit status; what it said is in /tmp/said
status() { "$@" >/tmp/said 2>/tmp/errors; echo $?; }

# column NAME: its number in the CSV of /tmp/said
column() { head -n 1 /tmp/said | tr , '\n' | grep -nx -e "$1" | cut -d : -f 1; }

# cells TEXT COLUMN...: of the rows of /tmp/said that have the text in them, a line each
cells() {
	pattern=$1
	shift
	list=''
	for name in "$@"; do list="$list${list:+,}$(column "$name")"; done
	awk -F , -v list="$list" -v text="$pattern" '
		NR > 1 && (text == "" || index($0, text)) {
			n = split(list, at, ",")
			for (i = 1; i <= n; i++) printf "%s%s", $at[i], i < n ? " " : "\n"
		}' /tmp/said
}

# milliseconds SECONDS: as a whole number
milliseconds() { echo "$1" | awk '{ printf "%d", $1 * 1000 }'; }

plan 39

# --- offcpu ---
is "$(status kprof offcpu --csv --state sleep --min 200ms --comm sleep -- \
	sh -c 'sleep 0.3; sleep 0.3; sleep 0.3')" 0 "kprof offcpu of a command"
is "$(cells '' count state comm)" "3 sleep sleep" "three times asleep"
between "$(milliseconds "$(cells '' seconds)")" 600 60000 "for about as long as was asked for"
# Where the machine stands still it may have been kept from its CPU for as long, too.
status kprof offcpu --stacks --state sleep --min 50ms --comm sleep -- sleep 0.5 >/dev/null
is "$(tr -d ' ' </tmp/said | sed -n '/__schedule/,/do_nanosleep/p' | tr '\n' ' ')" \
	"__schedule schedule do_nanosleep " "with its stack, innermost first"
matches "$(cat /tmp/said)" '^# lost: 0$' "the account is below the table"
status kprof offcpu --by-syscall --csv --min 50ms --comm sleep -- sleep 0.5 >/dev/null
matches "$(cells '' syscall)" '^(clock_)?nanosleep$' "--by-syscall: in which call"
# shellcheck disable=SC2016 # as above
status kprof offcpu --by-process --csv --state sleep --min 200ms --comm one,two -- sh -c '
	sh -c "$1" one "$2" & sh -c "$1" two "$2"; wait' sh "$NAMED" 'read -t 0.5 x </dev/zero; exec sleep 0.3' >/dev/null
is "$(cells '' count comm | sort | tr '\n' ' ')" "" "a name that does not match is in no row"
is "$(status kprof offcpu --json --min 100ms --comm sleep -- sleep 0.5)" 0 "as JSON"
matches "$(cat /tmp/said)" '"state": "sleep", "comm": "sleep", "count": 1, "total_ns": [0-9]{9,}' \
	"with a row"
matches "$(cat /tmp/said)" '"lost": 0' "and the account"
is "$(status kprof offcpu -o waits.data --min 50ms --comm sleep -- sleep 0.5)" 0 "as a recording, too"
matches "$(kprof report waits.data)" 'state=sleep,comm="sleep"|comm="sleep"' "which report shows"

kprof record -q -t @offcpu -o off.data -- sh -c 'sleep 1; dd if=/dev/zero of=/dev/null bs=1 count=1' 2>/tmp/errors
between "$(kprof fold off.data | awk '/^sleep;/ { n += $NF } END { printf "%.0f", n / 1e6 }')" 990 60000 \
	"the stacks of spans are counted by their time"
matches "$(kprof flame off.data)" 'width: time in @offcpu<' "and the flame graph says so"

# --- runq: one that is kept from running by a hog of higher priority for half a second ---
# Real-time tasks may have all of the CPU: nobody else runs between the two.
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
delay_dequeue NO_DELAY_DEQUEUE
mkfifo /tmp/go /tmp/done
/kprof/programs/hog 500 </tmp/go >/tmp/done &
pid=$!
exec 3>/tmp/go 4</tmp/done
# Before and after it is blocked: of the time between both the kernel knows as much as kprof.
delay() { cut -d ' ' -f 2 "/proc/$pid/schedstat"; }
# On a busy machine this one may stand still between the scheduler's look at the clock and kprof's:
# what differs because of that differs less the next time.
for _ in 1 2 3 4 5; do
	before=$(delay)
	said=$(status kprof runq --by-process --csv -p $pid -- sh -c \
		'for round in 1 2 3; do echo >&3; read -r x <&4; done; sleep 0.2')
	after=$(delay)
	# Where the time-stamp counter is no good, which may turn out any time, the scheduler's clock is
	# not quite the kernel's.
	case $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource) in
	hpet|acpi_pm|refined-jiffies) percent=10 ;;
	*) percent=1 ;;
	esac
	waited=$(cells ",$pid," seconds | awk '{ n += $1 } END { printf "%d", n * 1e6 }')
	expected=$(((after - before) / 1000))
	off=$((waited > expected ? waited - expected : expected - waited))
	[ $off -gt $((percent * expected / 100)) ] || break
done
instead=$(milliseconds "$(cells "the victim,$pid,the hog" seconds)")
is "$said" 0 "kprof runq of a process"
exec 3>&- 4<&-
echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
delay_dequeue DELAY_DEQUEUE
between "$instead" 480 60000 "who ran instead is named"
[ "${instead:-0}" -ge 480 ] || diag "$(cat /tmp/said)"
between "$waited" $((expected - percent * expected / 100)) $((expected + percent * expected / 100)) \
	"the sum is as the kernel has it in schedstat"
is "$(cells '' 'usecs max' | awk '$1 > 60000000')" "" "no wait is impossibly long"
status kprof runq -- true >/dev/null
matches "$(cat /tmp/said)" '^\[.*, .*\) +[0-9]+ \|@* *\|$' "a histogram is drawn"

# --- wakeup: a reader that waits for half a second ---
mkfifo /tmp/fifo
# The reader, which does not wait for the writer to come, may come late itself on a slow machine.
for seconds in 0.5 2 8; do
	# shellcheck disable=SC2016 # as above
	status=$(status kprof wakeup --csv --min 300ms --stacks -- sh -c 'sh -c "$1" reader "read x <>/tmp/fifo" &
		sh -c "$1" writer "exec 3>/tmp/fifo; sleep $2; echo >&3"; wait' sh "$NAMED" $seconds)
	[ -z "$(cells reader waker | grep writer)" ] || break
done
is "$status" 0 "kprof wakeup of a command"
is "$(cells reader wakeups woken from waker | grep writer)" "1 reader task writer" "who woke whom"
matches "$(cat /tmp/said)" 'reader,task,writer,.*;(anon_)?pipe_write;' "with the stack of the waker"
# With PREEMPT_RT timers are softirqs, or a thread's, and locks that sleep are made of others.
case $(uname -v) in
*PREEMPT_RT*) timer='(softirq|task)' mutex=rtmutex rwsem=rwlock-rt ;;
*) timer=hardirq mutex=mutex rwsem=rwsem ;;
esac
matches "$(cells sleep woken from)" "^sleep $timer$" "a sleeper is woken by an interrupt"

# --- irq: no more than the kernel counts meanwhile ---
timers() { awk '$1 == "TIMER:" { n = 0; for (i = 2; i <= NF; i++) n += $i; print n }' /proc/softirqs; }
before=$(timers)
is "$(status kprof irq --csv -d 1)" 0 "kprof irq"
between "$(cells ,TIMER count)" 1 $(($(timers) - before)) "softirqs by name"
is "$(cells ,TIMER kind)" soft "and their kind"

# --- locks ---
insmod $MODULES/kprof_spans.ko
if [ -d /sys/kernel/tracing/events/lock/contention_begin ] ||
	grep -qw __tracepoint_contention_begin /proc/kallsyms; then
	is "$(status kprof locks --csv --min 100ms -- sh -c \
		'echo 300 >/sys/module/kprof_spans/parameters/hold')" 0 "kprof locks of a command"
	# Others may wait as long, for a lock that somebody has whose CPU stands still.
	is "$(cells spans_contend contended type caller)" "1 $mutex spans_contend" "which lock, and who waits for it"
	between "$(milliseconds "$(cells spans_contend seconds)")" 150 60000 "and how long"
	matches "$(kprof locks --json --min 100ms -- sh -c 'echo 300 >/sys/module/kprof_spans/parameters/hold' \
		2>/dev/null)" '"overwritten": 0,' "first spinning and then sleeping is one wait"
	# It lasts for longer than what measures it.
	is "$(status kprof use --csv -- sh -c \
		'echo 2000 >/sys/module/kprof_spans/parameters/hold &
		while [ -e /proc/$! ] && ! grep -q "^State:.[DZ]" /proc/$!/status; do sleep 0.1; done
		sleep 1')" 0 "kprof use"
	is "$(awk -F , '$1 == "locks" && $2 == "saturation" { print ($3 > 0) }' /tmp/said)" 1 \
		"a wait that has not ended is in it"
	echo 0 >/sys/module/kprof_spans/parameters/hold	# when it has ended
	held='contended type held.by released.in caller'
	# shellcheck disable=SC2086 # words
	for lock in "hold $mutex held" "read $rwsem:W held_by_reader"; do
		variable=${lock##* } lock=${lock% *}
		status kprof locks --holders --by-lock --csv --min 100ms -- sh -c \
			"echo 300 >/sys/module/kprof_spans/parameters/${lock% *}" >/dev/null
		is "$(cells spans_contend $held)" "1 ${lock#* } spans_holder spans_release spans_contend" \
			"who had it, and where it let go: ${lock#* }"
		between "$(milliseconds "$(cells spans_contend seconds)")" 150 60000 "and how long until then"
		if grep -q " $variable.\[kprof_spans\]$" /proc/kallsyms; then
			is "$(cells spans_contend lock)" "kprof_spans:$variable" "and which lock of its kind"
		else	# this kernel names no data
			matches "$(cells spans_contend lock)" '^0xffff[0-9a-f]{12}$' "and which lock of its kind"
		fi
	done
else
	is "$(status kprof locks -d 0.1)" 1 "a kernel without the events"
	matches "$(cat /tmp/errors)" contention_begin "is told"
	skip "how long it waits" "this kernel has no events of locks"
	for point in "that it is one wait" "kprof use" "what has not ended" "who had a mutex" "until when" \
		"which mutex" "who had a semaphore" "until when" "which semaphore"; do
		skip "$point" "this kernel has no events of locks"
	done
fi
rmmod kprof_spans
is "$(lsmod | grep -c kprof)" 0 "nothing stays"
