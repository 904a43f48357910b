#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_model - whatever is done to it, in whatever order, kprof says what a model says
# timeout: 900
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# One seed that is always the same, and one that never is.
plan 4
for seed in 1 "$(($(date +%s) % 1000000))"; do
	insmod $MODULES/kprof_known.ko
	insmod $MODULES/kprof_odd.ko
	insmod /kprof/kprof.ko enable=0 event=none maxactive=64
	succeeds "model $seed 300" /kprof/programs/model $seed 300
	echo 0 >$KPROF/enable
	is "$(unbalanced <$KPROF/stats)" "" "in the end, fired = recorded + dropped"
	rmmod kprof
	rmmod kprof_odd
	rmmod kprof_known
done
