#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_under_way - calls that have begun before a reset, a stop or another size, and end after it
# repeats
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# Work of a known size; see modules/kprof_odd.c
odd() { echo "$2" >"/sys/module/kprof_odd/parameters/$1"; }

# Calls that have a latency.
seen() { awk -F '\t' '$1 == "odd_held" { calls += $3 } END { print calls + 0 }' $KPROF/latency; }

# What a watched call may be to kprof: a way through the trampoline, or a kretprobe.
ways() {
	cat <<-'END'
	target=odd_held record=0
	target=odd_held record=0 by=$arg1
	target=odd_held record=0 by=cpu
	target=odd_held,odd_called record=0
	target=odd_held record=0 probe=kretprobe
	target=odd_held
	target=odd_held probe=kretprobe
	END
}

plan 35
# So that a reset is soon done.
small="max_stacks=64 max_rows=64 ring_kb=4"
insmod $MODULES/kprof_odd.ko
ways >/tmp/ways
while read -r way; do
	# shellcheck disable=SC2086 # several parameters
	insmod /kprof/kprof.ko $way $small
	# At once: it is another way that a call of more than a second returns by.
	odd hold 2
	echo 1 >$KPROF/reset
	odd release 2
	odd hold 1
	odd release 1
	is "$(seen) $(stat odd_held.recorded)" "1 1" "$way: a reset forgets calls under way"
	odd hold 2
	echo 0 >$KPROF/enable
	odd release 1
	echo 1 >$KPROF/enable
	odd release 1
	is "$(seen) $(stat odd_held.recorded)" "2 3" "$way: one that ends while it is stopped has no latency"
	echo 1 >$KPROF/reset
	odd hold 1
	odd release 1
	is "$(seen) $(stat odd_held.recorded)" "1 1" "$way: a reset forgets those that have ended"
	odd hold 2
	echo 0 >$KPROF/enable
	echo 8 >$KPROF/ring_kb
	echo 1 >$KPROF/enable
	odd hold 1
	odd release 3
	is "$(seen) $(stat odd_held.recorded)" "1 1" "$way: another size forgets them"
	is "$(unbalanced <$KPROF/stats)" "" "$way: fired = recorded + dropped"
	rmmod kprof
done </tmp/ways
rmmod kprof_odd
