#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_accounts - nothing lost in silence, at 20 kHz, with too little of everything
# timeout: 600
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

plan 12
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=20000 max_cpu=100 ring_kb=4 max_stacks=64 idle=1
load & load &
known spin 20000 &
spinner=$!
wrong='' reads=0
while kill -0 $spinner 2>/dev/null; do
	wrong="$wrong$(unbalanced <$KPROF/stats)"
	reads=$((reads + 1))
done
echo 0 >$KPROF/enable
kill %1 %2

between "$reads" 5 1000000 "stats can be read all the while"
is "$wrong" "" "and adds up each time"
is "$(unbalanced <$KPROF/stats)" "" "in the end, too"
between "$(stat timer.recorded)" 10000 100000000 "there were many samples"
is "$(stat ring.recorded)" $((128 * $(nproc))) "the rings took what they hold"
is "$(stat ring.offered)" "$(stat timer.recorded)" "and were offered all"
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
rmmod kprof_known
