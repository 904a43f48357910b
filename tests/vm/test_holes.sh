#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_holes - it loads where other modules have come and gone
# repeats
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

small=$MODULES/kprof_hole_small.ko large=$MODULES/kprof_hole_large.ko
other=$MODULES/kprof_hole_other.ko

plan 6

# One that came while kprof was there, and one that took its place when it had gone.
insmod /kprof/kprof.ko
insmod $small
rmmod kprof
insmod $other
succeeds "loads after one has come while it was there, and one after it" insmod /kprof/kprof.ko
rmmod kprof
rmmod kprof_hole_other
rmmod kprof_hole_small

# With little left for anybody.
if [ "$(uname -m)" = x86_64 ] || insmod $large 2>/dev/null; then
	[ -d /sys/module/kprof_hole_large ] || insmod $large
	is "$(cat /sys/module/kprof_hole_large/initstate)" live "a module takes nearly all there is"
else
	skip "a module takes nearly all there is" "the kernel's own have taken too much of it"
fi
insmod $small
succeeds "loads where little is left" insmod /kprof/kprof.ko target=vfs_read
rmmod kprof
rmmod kprof_hole_small

# Over and over, with the others in all orders.
failed=0
for _ in 1 2 3 4 5; do
	insmod /kprof/kprof.ko freq=999 || failed=$((failed + 1))
	insmod $small || failed=$((failed + 1))
	rmmod kprof
	rmmod kprof_hole_large
	insmod /kprof/kprof.ko event=cpu-clock || failed=$((failed + 1))
	insmod $large || failed=$((failed + 1))
	rmmod kprof_hole_small
	insmod $small || failed=$((failed + 1))
	rmmod kprof
	rmmod kprof_hole_small
done
is $failed 0 "nobody is refused in five turns"
insmod $small
insmod /kprof/kprof.ko freq=999
cat /proc/self/maps >/dev/null
is "$(unbalanced <$KPROF/stats)" "" "and what it counts there adds up"
succeeds "it goes" rmmod kprof
rmmod kprof_hole_small
rmmod kprof_hole_large
