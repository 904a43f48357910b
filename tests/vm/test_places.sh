#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_places - a probe at a place inside of a watched function is not in its latency
# icount
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# average: of the calls of known_loop, a hundred turns each, in nanoseconds
average() {
	echo >$KPROF/reset
	known loop 100,20
	latency known_loop avg_ns
}

# find_places: instructions of known_loop that each turn passes, three at most
find_places() {
	found=0 offset=1
	while [ $found -lt 3 ] && [ $offset -lt 96 ]; do
		place=$(printf 'known_loop+0x%x' $offset)
		offset=$((offset + 1))
		echo "$place" 2>/dev/null >>$KPROF/targets || continue
		known loop 100,1
		if [ "$(stat "$place.fired")" = 100 ]; then
			echo "$place"
			found=$((found + 1))
		fi
		echo "-$place" >>$KPROF/targets
		echo >$KPROF/reset
	done
}

if [ "$(uname -m)" != x86_64 ]; then
	skip_all "what a breakpoint costs is not all known here, and stays in the latency"
fi
plan 8
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko target=known_loop record=0
find_places >/tmp/places
between "$(wc -l </tmp/places)" 1 3 "there are instructions that each turn passes"
bare=$(average)
for nr in 1 2 3; do
	place=$(sed -n "${nr}p" /tmp/places)
	if [ -z "$place" ]; then
		skip "a probe at place $nr" "there is none"
		continue
	fi
	echo "$place" >>$KPROF/targets
	# Up to twice as long is seen, where kprobes have made a jump of it.
	between "$(average)" $((bare * 2 / 3)) $((bare * 5 / 2)) "calls with a probe at $place take $bare ns, as without"
	echo "-$place" >>$KPROF/targets
done
between "$(stat nest_table.full)" 0 0 "all calls were known to the probe"
rmmod kprof

# With a sample at each place, which takes longer than the turn.
for probe in auto kretprobe; do
	insmod /kprof/kprof.ko target=known_loop event=none probe=$probe
	bare=$(average)
	sed -n 1p /tmp/places >>$KPROF/targets
	between "$(average)" $((bare * 2 / 3)) $((bare * 3 / 2)) "samples there take nothing of them, probe=$probe"
	rmmod kprof
done
insmod /kprof/kprof.ko target=known_turn+0x0,known_loop
is "$(stat probe.kprobe.seen_ns)" "" "what ftrace's call costs is not a breakpoint's"
rmmod kprof
rmmod kprof_known
