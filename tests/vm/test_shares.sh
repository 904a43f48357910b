#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_shares - a profile has the shares of the time: 50, 30 and 20 per cent
# icount
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# Per cent, rounded, of the samples of the spinning threads that are under a function.
share() {
	all=$(folded_total '^known-spin')
	echo $(((100 * $(folded_total "^known-spin.*;$1[; ]") + all / 2) / all))
}

# The kernel begins with timers that are no better than jiffies.
for _ in 1 2 3 4 5 6 7 8 9; do
	grep -q 'hres_active *: 1' /proc/timer_list && break
	sleep 1
done

plan 8
insmod $MODULES/kprof_known.ko
# So many samples that chance makes half a point, and not two.
for event in timer cpu-clock; do
	insmod /kprof/kprof.ko event=$event freq=4999 max_cpu=100
	known spin 2000
	echo 0 >$KPROF/enable
	between "$(folded_total '^known-spin')" 9750 10010 "$event: 5000 samples a second"
	between "$(share known_half)" 48 52 "half of the time is in known_half"
	between "$(share known_third)" 28 32 "30 % of it is in known_third"
	between "$(share known_fifth)" 18 22 "20 % of it is in known_fifth"
	rmmod kprof
done
rmmod kprof_known
