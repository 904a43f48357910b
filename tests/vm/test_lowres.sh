#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_lowres - where timers are no better than jiffies each sample stands for many periods
# alone
# vm: --append highres=off
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
known spin 2000
echo 0 >$KPROF/enable
between "$(stat timer.overrun)" "$(stat timer.fired)" 1000000 "most periods pass between two jiffies"
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"
is "$(total)" $((($(stat timer.fired) + $(stat timer.overrun)) * PERIOD)) \
	"folded_ns has those that passed, too"
# Two seconds on each CPU; the machine that this runs on may be busy.
between "$(spun)" $((1000 * $(nproc))) $((2200 * $(nproc))) "and so all of the time that was spent"
rmmod kprof
rmmod kprof_known
