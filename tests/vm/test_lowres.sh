#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_lowres - where timers are no better than jiffies each sample stands for many periods
# alone
# vm: --append highres=off
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

PERIOD=$((1000000000 / 2000))	# nanoseconds

# Milliseconds that the spinning threads have in folded_ns.
spun() { awk '/^known-spin/ { ns += $NF } END { printf "%d\n", ns / 1000000 }' $KPROF/folded_ns; }
total() { awk '{ ns += $NF } END { printf "%.0f\n", ns }' $KPROF/folded_ns; }

plan 5
is "$(awk '/hres_active/ { print $3 }' /proc/timer_list | sort -u)" 0 "timers are as the test wants them"
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=2000 max_cpu=100 idle=1
# Two seconds on each CPU. One that the machine lets stand still may have had none of them, or more:
# then as long again, until that is the smaller part.
for ms in 2000 4000 8000 16000; do
	echo 1 >$KPROF/reset
	before=$(uptime_ms)
	known spin $ms
	took=$(($(uptime_ms) - before + 10))
	echo 0 >$KPROF/enable
	[ "$(spun)" -lt $((took * $(nproc) / 2)) ] || break
	echo 1 >$KPROF/enable
done
echo 0 >$KPROF/enable
between "$(stat timer.overrun)" "$(stat timer.fired)" 1000000 "most periods pass between two jiffies"
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"
is "$(total)" $((($(stat timer.fired) + $(stat timer.overrun)) * PERIOD)) \
	"folded_ns has those that passed, too"
between "$(spun)" $((took * $(nproc) / 2)) $(((took + 10) * $(nproc))) "and so all of the time that was spent"
rmmod kprof
rmmod kprof_known
