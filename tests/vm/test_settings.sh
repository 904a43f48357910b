#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_settings - whatever is changed while calls are under way, no latency is impossible
# timeout: 900
# icount
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# A sleep of a second: what a call takes at least, and what none takes, in nanoseconds.
LEAST=1000000000
MOST=600000000000

# impossible: rows of latency that the sleeps cannot have; should print nothing
impossible() {
	awk -F '\t' -v least=$LEAST -v most=$MOST '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "known_sleeper" && $at["calls"] && ($at["min_ns"] < least ||
			$at["max_ns"] > most || $at["self_ns"] > $at["total_ns"])' $KPROF/latency
}

# change FILE VALUE: between stop and start, while known_sleeper sleeps; says what came of it
change() {
	known sleep 1000 &
	usleep 200000
	echo 0 >$KPROF/enable
	echo "$2" >"$KPROF/$1" || echo "$1=$2 was refused: $(cat $KPROF/error)"
	echo 1 >$KPROF/enable || echo "does not start with $1=$2: $(cat $KPROF/error)"
	known sleep 1000
	wait
	impossible
	unbalanced <$KPROF/stats
}

# What each parameter is changed to, and back; those of counters before they could contradict.
changes() {
	cat <<-END
	freq 49
	period 0
	max_cpu 50
	pid 1
	pid
	comm known*
	comm
	cpus 0
	cpus 0-$(($(nproc) - 1))
	idle 1
	cgroups 1
	cgroups 0
	own self
	own 0
	stacks none
	stacks kernel
	unwind kernel
	unwind cache
	record 0
	record 1
	probe kretprobe
	probe auto
	clock mono
	clock auto
	depth 16
	max_stacks 64
	max_rows 16
	max_open 16
	ring_kb 16
	rules_kb 64
	maxactive 16
	index /tmp/none
	index
	event none
	END
}

# Parameters that no line of changes() has.
forgotten() {
	for file in "$KPROF"/*; do
		name=${file##*/}
		[ -e "/sys/module/kprof/parameters/$name" ] || continue
		changes | grep -q "^$name" || echo "$name"
	done
}

plan 8
insmod $MODULES/kprof_known.ko
for probe in auto kretprobe; do
	insmod /kprof/kprof.ko target=known_sleeper,msleep by='comm' probe=$probe enable=0
	is "$(forgotten)" enable "probe=$probe: every parameter is changed"
	# All at once would hide which one it was.
	changes >/tmp/changes
	while read -r name value; do
		said=$(change "$name" "$value")
		[ -z "$said" ] || echo "$name=$value: $said"
		echo >$KPROF/reset
	done </tmp/changes >/tmp/said
	is "$(cat /tmp/said)" "" "probe=$probe: no latency is impossible, and accounts add up"
	rmmod kprof
done

# The plain way of the trampoline, with one clock and the other.
insmod /kprof/kprof.ko target=known_sleeper record=0
clocks="$(stat clock)"
for clock in mono auto; do
	is "$(change clock $clock)" "" "clock=$clock, without keys and records"
	clocks="$clocks $(stat clock)"
done
echo >$KPROF/reset
known sleep 1000
is "$(latency known_sleeper calls)" 1 "calls that begin afterwards are all there"
case $clocks in
"tsc mono tsc") ok "the clock was another one each time" ;;
*) skip "the clock was another one each time" "this machine has only $clocks" ;;
esac
rmmod kprof
rmmod kprof_known
