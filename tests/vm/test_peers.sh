#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_peers - questions of users of perf, bcc and FlameGraph, by the commands that kprof names for
# those tools; the workload is known, and so is the answer
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF: presets need it"

# ask TOOL FUNCTION COMMAND: what kprof says is its way, while COMMAND runs; prints the answer
ask() {
	way=$(kprof "$1" 2>&1 | sed -n "s/.*kprof's way: //p" | sed 's/ ([^()]*)$//; s/; .*//')
	way=$(printf '%s' "${way:-$1 is unknown to kprof}" | sed "s/FUNCTION/$2/g; s/ -- COMMAND//; s/ -i 1//")
	run "$way" "$3"
}

# run WAY COMMAND: the same, for a way that is given
run() { sh -c "$1 -- sh -c '$2'" 2>/tmp/errors || { echo "$1: status $?:"; cat /tmp/errors; }; }

# do_known TRIGGER N, do_spans TRIGGER N: a command that has one of the test's modules work
do_known() { echo "echo $2 >/sys/module/kprof_known/parameters/$1"; }
do_spans() { echo "echo $2 >/sys/module/kprof_spans/parameters/$1"; }

# calls TARGET [CONTEXT]: the calls in a row of a table of lat
calls() {
	awk -v target="$1" -v context="$2" '
		$2 == "%" { for (i = 2; i <= NF; i++) at[$i] = i - 1 }
		$at["target"] == target && (context == "" || index($0, context)) { print $at["calls"]; exit }'
}

plan 34
cpus=$(nproc)
insmod $MODULES/kprof_known.ko
insmod $MODULES/kprof_spans.ko

# --- perf record, report, annotate, script; FlameGraph: one recording ---
run 'kprof record -a -g -F 499 -q' "$(do_known spin 1000)" >record.said
# Whose share is larger is for test_shares: here a busy host decides, too.
is "$(kprof report --sort sym kprof.data | grep -o 'known_[htf][a-z]* .kprof_known.$' | cut -d ' ' -f 1 |
	sort | tr '\n' ' ')" "known_fifth known_half known_third " \
	"perf report: functions by their share of the time"
matches "$(kprof report -g kprof.data | grep -A 1 'known_half .kprof_known.$')" '%  spin_thread .*< kthread <' \
	"perf report -g: who calls them"
matches "$(kprof annotate known_half kprof.data)" '^>? +[0-9.]+ +[0-9]+ +\+0x' "perf annotate: the share of each instruction"
is "$(kprof script kprof.data | grep -c 'known_half')" "$(kprof fold --samples kprof.data |
	awk '/;known_half / { n += $NF } END { print n }')" "perf script: a stack for each sample"
matches "$(kprof fold kprof.data)" '^known-spin/[0-9]+;.*;spin_thread [^;]*;known_half [^;]*[0-9]$' \
	"stackcollapse-perf.pl: folded stacks"
kprof flame kprof.data >flame.svg
matches "$(cat flame.svg)" '<title>known_half.* \([0-9,]+ ' "flamegraph.pl: a flame graph"

# --- counts and latencies of functions ---
is "$(ask funclatency known_called "$(do_known call 1000)" | calls known_called)" $((1000 * cpus)) \
	"funclatency: calls and latencies of a function"
matches "$(ask funclatency known_sleeper "$(do_known sleep 30)")" '^\[.*, .*\) +1 \|@+ *\|$' "with a histogram"
between "$(ask funccount 'known_*' 'dd if=/dev/zero of=/dev/null bs=1 count=500 2>/dev/null' | calls vfs_read)" \
	500 5000 "funccount: calls of each function of a group"
is "$(ask funcslower known_sleeper "$(do_known sleep 30)" | grep -c '^[^#].* known_sleeper ')" 1 \
	"funcslower: each call that takes long"
is "$(ask stackcount known_leaf "$(do_known stacks 8)" | awk '!/^#/ && / known_leaf / { print $2 }' | tr '\n' ' ')" \
	"1 1 1 1 1 1 1 1 " "stackcount: a row for each stack"
# shellcheck disable=SC2016 # a key of kprof
is "$(ask argdist known_chance "$(do_known chance 800)" | calls known_chance '$arg1=5')" 100 \
	"argdist: a row for each value of an argument"
is "$(run 'kprof record -q -a -t known_called -o calls.data' "$(do_known call 100)"
	kprof report calls.data | sed -n 's/^# [0-9]* ns of known_called in \([0-9]* calls\); .*/\1/p')" "$((100 * cpus)) calls" \
	"perf probe and record: the calls of a function"
run 'kprof lat known_called -q -a -o a.data' "$(do_known call 100)" >/dev/null
run 'kprof lat known_called -q -a -o b.data' "$(do_known call 900)" >/dev/null
matches "$(kprof diff a.data b.data)" ' more +(same|slower|faster) +known_called ' "perf diff: more calls are told"

# --- lines as it happens ---
matches "$(ask opensnoop '' 'cat /proc/version >/dev/null')" ' cat .*filename:ustring="/proc/version",' \
	"opensnoop: the files that are opened"
matches "$(ask execsnoop '' /bin/date)" ' date .*"/bin/date"' "execsnoop: the programs that are executed"
matches "$(ask killsnoop '' 'sleep 9 & kill -USR1 $!')" ' sh .*,sig=10,task->comm="' "killsnoop: who sends which signal to whom"
matches "$(ask exitsnoop '' date)" ' date +[0-9]+ ' "exitsnoop: the tasks that end"
ip link set lo up
matches "$(ask tcpconnect '' 'nc 127.0.0.1 9 </dev/null')" ' nc .*skc_daddr:x32=0x100007f$' "tcpconnect: connections"

# --- system calls, waits, locks, memory ---
is "$(ask strace '' 'exec /kprof/programs/calls 50' | awk '$NF == "chdir" { print $(NF - 2), $(NF - 1) }')" "150 100" \
	"strace -c: the calls of each system call"
matches "$(ask runqlat '' 'sleep 0.1')" '^\[.*, .*\) +[0-9]+ \|@+ *\|$' "runqlat: how long tasks wait for a CPU"
matches "$(ask offcputime '' 'sleep 0.3' | grep -A 20 ' sleep  *sleep$')" '^ +do_nanosleep$' \
	"offcputime: where tasks are blocked"
# With PREEMPT_RT a thread runs what timers do, and a mutex is an rtmutex.
matches "$(ask wakeuptime '' "sleep 0.3")" ' sleep +(hardirq|task +ktimers|task +ksoftirqd|softirq)' \
	"wakeuptime: who wakes whom"
# shellcheck disable=SC2016
matches "$(ask cpudist '' 'sleep 0.2' | tail -n 40)" '\|@+ *\|$' "cpudist: how long tasks run at a time"
if grep -qw __tracepoint_contention_begin /proc/kallsyms; then
	matches "$(ask klockstat '' "$(do_spans hold 200)")" ' 1 .* (rt)?mutex +spans_contend$' \
		"klockstat, perf lock contention: who waits for which lock"
else
	skip "klockstat: who waits for which lock" "this kernel has no events of locks"
fi
matches "$(ask memleak '' "$(do_spans leak 50,0)")" ' 6400 .* 50 ' "memleak: what is allocated and not freed"
echo 50 >/sys/module/kprof_spans/parameters/free
matches "$(ask hardirqs '' 'sleep 0.2')" ' soft +TIMER' "hardirqs, softirqs: the time of each handler"
between "$(ask slabratetop '' 'ls -R /sys/class >/dev/null' | calls tp:kmem_cache_alloc '"filp"')" 5 1000000 \
	"slabratetop: the allocations of each cache"
echo some >known-file
matches "$(ask filetop '' 'dd if=known-file of=/dev/null 2>/dev/null')" 'vfs_read +.*"dd".*"known-file"' "filetop: the files that are read"
run 'kprof record -q --wall -a -o wall.data' 'sleep 0.4' >/dev/null
matches "$(kprof report --states wall.data)" ' sleep$' "perf timechart: the states of each task"
run 'kprof stat -e page-faults,context-switches' 'sleep 0.1' >/dev/null
matches "$(cat /tmp/errors)" '^ +[1-9][0-9]* +page-faults' \
	"perf stat: counts of events"

# --- what it cannot do, it says ---
refused() { kprof "$1" 2>&1; echo "status $?"; }
is "$(for tool in c2c kvm tcplife criticalstat bashreadline; do refused $tool; done | grep -c "is no verb: .* .* ")" 5 \
	"what it cannot do is said"
is "$(for tool in c2c kvm tcplife criticalstat bashreadline; do refused $tool; done | grep -c '^status 2$')" 5 \
	"and is wrong usage"
rmmod kprof_known kprof_spans
is "$(lsmod | grep -c kprof)" 0 "nothing stays"
