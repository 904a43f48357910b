#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_properties - the rules that hold for every table, of recordings made here
#
# icount
# any kernel
#
# The rules are in properties.awk: shares of no more than there was, percentiles in order, averages
# between minimum and maximum, states that add up to the time that a task was there.
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# rules KIND DESCRIPTION COMMAND...: the tables that the command prints obey them, and have such rows
rules() {
	kind=$1 what=$2
	shift 2
	"$@" >/tmp/table 2>/tmp/said || diag "$*: $(cat /tmp/said)"
	awk -f /kprof/tests/properties.awk /tmp/table >/tmp/found
	if ! grep -v '^checked ' /tmp/found >/tmp/wrong && grep -q "^checked $kind [1-9]" /tmp/found; then
		ok "$what"
	else
		not_ok "$what"
		diag "$(head -n 20 /tmp/wrong)"
		diag "$(head -n 40 /tmp/table)"
	fi
}

# work: processes, reads and writes, sleeps and pipes
work='for i in 1 2 3 4 5; do
	dd if=/dev/zero of=/tmp/file bs=4k count=50 2>/dev/null
	dd if=/tmp/file of=/dev/null bs=512 2>/dev/null
	ls -lR /sys/class 2>/dev/null | wc -l >/dev/null
	sleep 0.02
done'

plan 24
insmod $MODULES/kprof_known.ko
kprof record -a -F 2000 -o /tmp/samples -- sh -c "$work" 2>/dev/null
rules shares "samples" kprof report /tmp/samples
rules shares "samples by task and function" kprof report -s comm,sym /tmp/samples
rules shares "samples with what was called" kprof report --children /tmp/samples
rules shares "samples by CPU" kprof report -s cpu /tmp/samples
rules shares "samples by their number" kprof report --samples /tmp/samples
rules shares "samples of one task" kprof report --comm dd /tmp/samples
rules shares "samples as CSV" kprof report --csv /tmp/samples

kprof record -a -t vfs_read -t vfs_write -o /tmp/calls -- sh -c "$work" 2>/dev/null
rules latencies "calls" kprof report /tmp/calls
rules shares "the stacks of calls" kprof report /tmp/calls
rules latencies "calls as JSON" kprof report --json /tmp/calls

kprof record --wall -o /tmp/wall -- sh -c "$work" 2>/dev/null
rules states "the states of tasks" kprof report --states /tmp/wall
rules waits "who waited for whom" kprof report --waits /tmp/wall
rules waits "with all waits" kprof report --all-waits /tmp/wall

rules latencies "latencies" kprof lat vfs_read vfs_write -- sh -c "$work"
rules latencies "latencies by context" kprof lat 'vfs_read by=comm,error' -- sh -c "$work"
rules latencies "latencies without the probe's time" kprof lat --net vfs_read vfs_write -- sh -c "$work"
rules latencies "latencies as CSV" kprof lat --csv vfs_read -- sh -c "$work"
rules latencies "latencies as JSON, in microseconds" kprof lat --json -u vfs_read -- sh -c "$work"
# A function of a few instructions: with what the probe adds taken off, next to nothing is left.
rules latencies "the latency of next to nothing" \
	kprof lat -a --net known_called -- sh -c 'echo 1000 >/sys/module/kprof_known/parameters/call'
# And so it is where the trampoline takes its long way. The function has two or three instructions.
# net ARGUMENT...: nanoseconds that are left of a call, on average
net() {
	kprof lat -a --net --csv "$@" -- sh -c 'echo 1000 >/sys/module/kprof_known/parameters/call' 2>/dev/null |
		awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			{ calls += $column["calls"]; total += $column["total_ns"] }
			END { print calls ? int(total / calls) : "no calls" }'
}
for how in '' 'by=$retval' 'if=$arg1!=7' 'min=1ns'; do
	between "$(net "known_called $how")" 0 20 "with ${how:-no key}, next to nothing is left"
done
between "$(net --comm '*' known_called)" 0 20 "nor with a filter"
rmmod kprof_known
