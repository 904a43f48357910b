#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_spans - the time between two points: each span begins and ends where it does, on
# whatever CPU; and each that does not end is counted, by cause
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

spans() { echo "$2" >"/sys/module/kprof_spans/parameters/$1"; }

# refused TARGET PATTERN: insmod refuses it, and says why
refused() {
	insmod /kprof/kprof.ko target="\"$1\"" 2>/dev/null && rmmod kprof
	matches "$(dmesg | grep 'kprof: ' | tail -n 1)" "$2" "refused: $1"
}

# across_cpus TARGET: calls of its rows, by=cpu,end(cpu), that have two CPUs
across_cpus() {
	awk -F '\t' -v target="$1" '
		$1 == target { split($2, cpu, /[^0-9]+/); if (cpu[2] != cpu[3]) n += $3 }
		END { print n + 0 }' $KPROF/latency
}

plan 60
insmod $MODULES/kprof_spans.ko
spec='spans_begin($arg1)..spans_end($arg1)'
s=pairs

# What asks an idle CPU may be done by the idle task itself.
insmod /kprof/kprof.ko idle=1 target="\"$spec as=$s by=\$arg1\""
spans across 100
is "$(calls "$s") $(grep -c '=.*	1	0	' $KPROF/latency)" "100 100" \
	"spans that begin on one CPU and end on another, each in its row"
is "$(unbalanced <$KPROF/stats)$(unaccounted "$s")" 0 "the account adds up"
is "$(stat "$s.fired") $(stat "$s.recorded") $(stat "$s.open")" "100 100 0" "all are recorded"
is "$(awk '{ n += $NF } END { print n }' $KPROF/folded)" 100 "with their stacks"
is "$(awk '{ n += $NF } END { print n }' $KPROF/folded_ns)" \
	"$(awk -F '\t' 'NR > 1 { n += $5 } END { print n }' $KPROF/latency)" "which weigh their time"
is "$(cat $KPROF/targets)" "$spec as=pairs by=\$arg1	# spans and their time" "targets shows it"
rmmod kprof

# What does not go by the rule.
insmod /kprof/kprof.ko target="\"$spec as=$s\"" record=0
spans end 1,7
is "$(stat pairs.dropped_unbegun)" 7 "ends without a beginning"
is "$(stat pairs.fired)" 7 "are counted"
spans begin 1,20
is "$(stat pairs.open)" 20 "what has begun is open"
sleep 0.1
spans begin 21,1
# The last one began 100 ms after the others, at least.
is "$(awk -F '\t' -v s="$s" '$1 == s { print $3, ($6 >= 2000000000 && $6 <= 21 * $5 - 100000000) }' $KPROF/open)" "21 1" \
	"with the sum of their ages"
spans begin 1,5
is "$(stat pairs.overwritten)" 5 "what begins anew takes the place of the old"
spans end 1,15
spans end 21,1
is "$(stat "$s.open") $(calls "$s")" "5 16" "what ends is in the rows"
is "$(unbalanced <$KPROF/stats)$(unaccounted "$s")" 0 "all the time accounts add up"
echo 0 >$KPROF/enable
is "$(stat pairs.open) $(stat pairs.unended)" "5 0" "what is open when sampling stops can be looked at"
is "$(unbalanced <$KPROF/stats)$(unaccounted "$s")" 0 "and is accounted for"
echo 1 >$KPROF/enable
is "$(stat pairs.unended)" 5 "until a new start: it will not end"
spans end 1,20
is "$(stat "$s.dropped_unbegun")" 27 "an end after that has no beginning"
spans begin 1,4
echo 1 >$KPROF/reset
is "$(stat "$s.open") $(stat "$s.fired") $(stat "$s.unended")" "0 0 0" "reset forgets what is open"
spans begin 1,4
echo "-$s" >>$KPROF/targets
is "$(stat "$s.unended") $(stat "$s.open")" "4 0" "so does removing the target, and counts it"
rmmod kprof

# What the process of own= begins is left out, and so is its end, in whatever process that is.
insmod /kprof/kprof.ko target="\"$spec as=$s\"" record=0 own=$$
elsewhere() { sh -c "echo $2 >/sys/module/kprof_spans/parameters/$1"; }
spans begin 1,20
is "$(stat "$s.dropped_own") $(stat "$s.open") $(stat "$s.recorded")" "20 0 0" "spans of the process of own="
elsewhere begin 11,15
is "$(stat "$s.open") $(stat "$s.overwritten")" "15 0" "what begins anew elsewhere is counted"
spans begin 21,5
is "$(stat "$s.overwritten") $(stat "$s.open")" "5 10" "and what is left out takes its place"
elsewhere end 1,26
is "$(calls "$s") $(stat "$s.dropped_own") $(stat "$s.dropped_unbegun")" "10 25 1" \
	"their ends are no ends without a beginning"
is "$(stat "$s.fired")$(unbalanced <$KPROF/stats) $(unaccounted "$s")" "41 0" "the account adds up"
spans begin 1,20
echo 0 >$KPROF/enable
echo 1 >$KPROF/enable
is "$(stat "$s.open") $(stat "$s.unended") $(stat "$s.fired")" "0 0 61" \
	"what is left out is not missed when it does not end"
rmmod kprof

# Sixteen and no more.
insmod /kprof/kprof.ko target="\"$spec as=$s\"" max_open=16
is "$(stat open_table.capacity)" 16 "a table of sixteen"
spans begin 1,1000
is "$(stat "$s.recorded")" "$(stat "$s.open")" "those that found room are open"
between "$(stat pairs.open)" 9 16 "and fill it"
between "$(stat pairs.dropped_table)" 984 991 "the others are counted"
is "$(($(stat pairs.dropped_table) + $(stat pairs.recorded)))" 1000 "each of them"
spans end 1,1000
is "$(($(calls "$s") + $(stat "$s.dropped_unbegun"))) $(stat "$s.open")" "1000 0" "as are their ends"
is "$(unbalanced <$KPROF/stats)$(unaccounted "$s")" 0 "the account adds up"
rmmod kprof

# Several ends and beginnings; conditions, of the point and of the span; keys of the end.
e='spans_begin($arg1)..spans_end($arg1,$arg1<11)|spans_end%return'
refused "$e by=end(\$arg1)" 'spans_end%return has 0 arguments'
spec='spans_begin($arg1,$arg1>10)|spans_begin($arg1,$arg1<3)..spans_end($arg1)'
insmod /kprof/kprof.ko target="\"$spec as=$s by=log2(\$arg1),end(errno(\$arg2)) if=\$arg1!=20,end(\$arg1)!=12\""
spans begin 1,20
spans end 1,20
is "$(stat "$s.fired") $(stat "$s.dropped_filter") $(stat "$s.recorded")" "21 1 11" \
	"what the points leave out did not begin"
is "$(stat "$s.dropped_unbegun") $(stat "$s.left_out")" "9 1" "so its end has no beginning"
is "$(awk -F '\t' 'NR > 1 { printf "%s %s ", $2, $3 }' $KPROF/latency)" \
	'log2($arg1)=[1,2),end(errno($arg2))=0 1 log2($arg1)=[2,4),end(errno($arg2))=0 1 log2($arg1)=[8,16),end(errno($arg2))=0 4 log2($arg1)=[16,32),end(errno($arg2))=0 3 log2($arg1)=[16,32),end(errno($arg2))=5 1 ' \
	"rows by what was there at the beginning and at the end"
is "$(unbalanced <$KPROF/stats)$(unaccounted "$s")" 0 "the account adds up"
rmmod kprof

# A task's own: system calls of a shell that is told to change into a folder that is not there.
[ -e /sys/kernel/btf/vmlinux ] && has_btf=1 || has_btf=0
case $(uname -m) in x86_64) chdir=80 ;; aarch64) chdir=49 ;; esac
if [ $has_btf = 1 ]; then
	insmod /kprof/kprof.ko target=@syscalls comm=caller
	sh -c 'printf caller >/proc/self/comm; for i in 1 2 3 4 5 6 7; do cd /nowhere; cd /; done' 2>/dev/null
	# The task is freed a little after it has exited, and what it has open is forgotten then.
	freed() { [ "$(stat @syscalls.unended)" = 1 ]; }
	eventually freed >/dev/null
	echo 0 >$KPROF/enable
	is "$(awk -F '\t' -v nr=$chdir '$2 == "syscall=" nr ",end(errno($arg2))=0" { print $3 }' $KPROF/latency)" 7 \
		"@syscalls: seven calls that work"
	is "$(awk -F '\t' -v nr=$chdir '$2 == "syscall=" nr ",end(errno($arg2))=2" { print $3 }' $KPROF/latency)" 7 \
		"and seven that fail, by error"
	is "$(unbalanced <$KPROF/stats)$(unaccounted @syscalls)" 0 "the account adds up"
	between "$(stat @syscalls.unended)" 1 1 "exit does not return"
	rmmod kprof

	# A start and a stop have all points of a span at once: of a task that is always in some system
	# call no more than one has begun before each start, and none ends behind a stop.
	dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
	pid=$!
	is_dd() { [ "$(cat /proc/$pid/comm)" = dd ]; }
	eventually is_dd
	insmod /kprof/kprof.ko target=@syscalls comm=dd record=0 enable=0
	has_more() { [ "$(stat @syscalls.recorded)" -gt "$seen" ]; }
	lost=
	for _ in 1 2 3 4 5 6 7 8; do
		seen=$(stat @syscalls.recorded)
		echo 1 >$KPROF/enable
		eventually has_more
		echo 0 >$KPROF/enable
		lost="$lost$(unaccounted @syscalls)"
	done
	kill $pid
	is "$lost" 00000000 "an end that is passed while kprof stops is counted"
	between "$(stat @syscalls.dropped_unbegun)" 0 8 "a start and a stop part no ends from their beginnings"
	rmmod kprof

	# A sleeper, three times. It is off the CPU a little shorter than it was told to sleep.
	insmod /kprof/kprof.ko target='"@offcpu min=50ms;@runqueue"' comm=sleep freq=99
	start=$(cut -d ' ' -f 1 /proc/uptime | tr -d .)
	sleep 0.3; sleep 0.3; sleep 0.3
	end=$(cut -d ' ' -f 1 /proc/uptime | tr -d .)
	echo 0 >$KPROF/enable
	# off_cpu PATTERN COLUMN: sum over the states that match; a busy machine may have preempted it, too.
	off_cpu() { awk -F '\t' -v state="$1" -v at="$2" '$1 == "@offcpu" && $2 ~ state { n += $at } END { printf "%.0f", n }' $KPROF/latency; }
	is "$(off_cpu '^state=sleep$' 3)" 3 "@offcpu: three times asleep"
	between "$(off_cpu '^state=sleep$' 5)" 150000000 \
		$(((end - start + 2) * 10000000)) "for no longer than the wall"
	# It may give the CPU away once more at the same place when it is woken: that has no weight.
	between "$(awk '/^.@offcpu.;sleep;.*do_nanosleep;schedule;__schedule / { n += $NF } END { printf "%.0f", n }' $KPROF/folded_ns)" \
		"$(off_cpu '^state=sleep$' 5)" "$(off_cpu . 5)" "all of it on the stack of the sleeper"
	is "$(calls @runqueue | awk '{ print ($1 >= 3) }')" 1 "@runqueue: each had to get the CPU again"
	is "$(awk -F '\t' '$1 == "@runqueue" && $12 > 60000000000' $KPROF/latency)" "" "and none for an impossible time"
	is "$(unbalanced <$KPROF/stats)$(unaccounted @runqueue)$(unaccounted @offcpu)" 00 "accounts add up"
	rmmod kprof

	# Under load, with CPUs that go and come, at any moment.
	insmod /kprof/kprof.ko target='@offcpu,@runqueue,@syscalls,@irq,@softirq,@wakeup' max_open=16 freq=999
	load &
	pid=$!
	for i in 1 2 3; do
		sleep 1
		[ ! -w /sys/devices/system/cpu/cpu1/online ] || echo 0 >/sys/devices/system/cpu/cpu1/online
		unbalanced <$KPROF/stats >>/tmp/unbalanced
		[ ! -w /sys/devices/system/cpu/cpu1/online ] || echo 1 >/sys/devices/system/cpu/cpu1/online
	done
	is "$(cat /tmp/unbalanced)" "" "under load, with CPUs that go and come, accounts add up"
	echo 0 >$KPROF/enable
	left=""
	for name in @offcpu @runqueue @syscalls @irq @softirq; do left="$left$(unaccounted $name)"; done
	is "$left" 00000 "and each span that began is accounted for"
	between "$(stat @offcpu.dropped_table)" 1 1000000000 "also those for which there was no room"
	echo 1 >$KPROF/enable
	rmmod kprof
	for name in offcpu runqueue syscalls irq softirq wakeup; do
		insmod /kprof/kprof.ko target=@$name
		rmmod kprof
	done
	kill $pid
	refused @nothing 'there are @offcpu, @runqueue'

	# dd on one CPU wakes wc on the other; sleep is woken on the CPU it sleeps on.
	insmod /kprof/kprof.ko record=0 target='"tp:sched_waking($arg1,cpu)..tp:sched_switch($arg3,cpu) as=woken by=cpu,end(cpu)"'
	taskset 1 dd if=/dev/zero bs=64k count=200 2>/dev/null | taskset 2 wc -c >/dev/null
	for i in 1 2 3 4 5; do sleep 0.05; done
	echo 0 >$KPROF/enable
	is "$(across_cpus woken)" 0 "a task and the CPU as the key: none begins on one CPU and ends on another"
	between "$(calls woken)" 5 1000000 "those that end where they began are there"
	is "$(unbalanced <$KPROF/stats)$(unaccounted woken)" 0 "the account adds up"
	rmmod kprof
	refused 'tp:sched_waking($arg1,cpu)..tp:sched_switch($arg3)' 'cpu or pid behind the key that joins must be at both'

	# A reply to a ping is made in a softirq, in the middle of the system call that asks.
	ip link set lo up
	insmod /kprof/kprof.ko record=0 \
		target='"tp:sys_enter|tp:softirq_entry..tp:sys_exit|tp:softirq_exit as=both by=context"'
	ping -c 3 127.0.0.1 >/dev/null
	echo 0 >$KPROF/enable
	is "$(stat both.overwritten)" 0 "a softirq inside of a system call takes no other's place"
	between "$(calls both context=softirq)" 3 1000000 "and is there"
	rmmod kprof
else
	for i in $(seq 22); do skip "presets $i" "this kernel has no BTF"; done
fi
rmmod kprof_spans
is "$(lsmod | grep -c kprof)" 0 "nothing stays"
