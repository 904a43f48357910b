#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_accounts - nothing lost in silence, at 20 kHz, with too little of everything
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

plan 26
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=20000 max_cpu=100 ring_kb=4 max_stacks=64 idle=1
load & load &
known spin 5000 &
spinner=$!
wrong='' reads=0
# The load goes on where a slow machine has not read as often when the spinning is over.
while kill -0 $spinner 2>/dev/null || [ $reads -lt 5 ]; do
	grep . $KPROF/stats >/tmp/stats || break
	wrong="$wrong$(unbalanced </tmp/stats)"
	reads=$((reads + 1))
done
echo 0 >$KPROF/enable
kill %1 %2

between "$reads" 5 1000000 "stats can be read all the while"
is "$wrong" "" "and adds up each time"
is "$(unbalanced <$KPROF/stats)" "" "in the end, too"
between "$(stat timer.recorded)" 10000 100000000 "there were many samples"
is "$(stat ring.recorded)" $((128 * $(nproc))) "the rings took what they hold"
is "$(stat ring.offered)" $(($(stat timer.recorded) + $(stat timer.late))) "and were offered all"
is "$(stat stack_table.used)" 64 "the stack table is full"
between "$(folded_total ';.stack table full. ')" 1 100000000 \
	"and what did not fit has a name"
is "$(folded_total)" "$(stat timer.recorded)" "so that folded adds up"
is "$(awk '{ n += $NF } END { print n / 50000 }' $KPROF/folded_ns)" \
	$(($(stat timer.recorded) + $(stat timer.overrun))) \
	"folded_ns adds up to ticks and overruns"
rmmod kprof

# Timer and target at once, the timer inside the target's own handlers.
insmod /kprof/kprof.ko freq=20000 max_cpu=100 target=known_called ring_kb=4 max_stacks=16
known call 200000
is "$(unbalanced <$KPROF/stats)" "" "timer and target together add up, while they run"
echo 0 >$KPROF/enable
is "$(folded_total)" $(($(stat timer.recorded) + $(stat known_called.recorded))) \
	"and folded is the sum of both"
rmmod kprof

# What a process that looks on does itself is left out, and counted; by each way that a call may go.
calls() { latency known_path calls | awk '{ n += $1 } END { print n }'; }
for options in record=0 'record=0 by=$arg2' 'record=0 by=$arg2,$arg3' 'record=0 by=comm' record=1 \
	'record=0 probe=kretprobe'; do
	# shellcheck disable=SC2086 # several parameters
	insmod /kprof/kprof.ko target=known_path own=$$ $options
	known path 1000
	sh -c 'echo 2000 >/sys/module/kprof_known/parameters/path'
	is "$(stat known_path.dropped_own) $(stat known_path.recorded) $(calls)$(unbalanced <$KPROF/stats)" \
		"1000 2000 2000" "calls of the process of own= are left out, with $options"
	rmmod kprof
done
insmod /kprof/kprof.ko freq=1000 max_cpu=100 pid=$$ target=update_process_times enable=0
echo self >$KPROF/own
echo 1 >$KPROF/enable
is "$(cat $KPROF/own)" $$ "own=self is who writes it"
i=0
while [ $i -lt 100000 ]; do i=$((i + 1)); done
echo 0 >$KPROF/enable
between "$(stat timer.dropped_own)" 1 1000000 "samples in it are left out"
is "$(stat update_process_times.dropped_own)" 0 "what interrupts it is not"
between "$(stat update_process_times.recorded)" 1 1000000 "and is seen"
rmmod kprof
said=$(kprof lat vfs_write by=comm -a -i 0.2 --interval-count 3)
is "$(echo "$said" | grep -c 'comm="kprof"')" 0 "lat shows no calls of its own"
matches "$said" '^# left out: [1-9][0-9]* calls of kprof itself \(--own\)' "and says how many there were"
said=$(kprof lat vfs_write by=comm -a -i 0.2 --interval-count 3 --own)
matches "$said" 'comm="kprof"' "with --own they are shown"
is "$(echo "$said" | grep -c 'kprof itself')" 0 "and none are left out"

rmmod kprof_known
