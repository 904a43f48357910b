#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_many - 64 functions watched at once, again and again, under load
# vm: --turns
# timeout: 3600
#
# alone
#
# tests/hackbench/run has it done for longer, under hackbench; $TIMES and $LOAD say so. The
# emulator is not up to this with a thread for each CPU: scripts/vm has the reason.
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

TIMES=${TIMES:-5}
LOAD=${LOAD:-load}
CALLS=1000	# of known_called by each CPU, each time: a number that is known

hackbench() {
	while :; do
		perf bench sched messaging -g 2 -l 100 >/dev/null 2>&1 ||
			echo "status $?" >>/tmp/load.failed
		echo >>/tmp/load.runs
	done
}

# Where tasks get little of the processor, one may be inside of a function for seconds. Unloading is
# refused then, as the log says, and whoever wants it tries again.
unload() {
	tries=0
	until timeout 120 rmmod kprof 2>/tmp/said; do
		tries=$((tries + 1))
		if [ $tries = 60 ] || ! grep -q 'temporarily unavailable' /tmp/said; then
			cat /tmp/said
			return 1
		fi
		sleep 1
	done
}

# What each time adds to.
failed='' wrong='' counted=0 fired=0 missed=0

# once RECORD: load, call, count, unload
once() {
	insmod /kprof/kprof.ko target="$targets" record="$1" || failed="$failed insmod"
	{ known call $CALLS && known args 200; } || failed="$failed known"
	known recurse 20
	known sleep 30 &
	sleep 1
	counted=$((counted + $(latency known_called calls) + $(latency known_called missed)))
	cat $KPROF/stats >/tmp/stats
	wrong="$wrong$(unbalanced </tmp/stats)"
	fired=$((fired + $(awk '!/^known_/ && /\.fired:/ { n += $2 } END { print n + 0 }' /tmp/stats)))
	missed=$((missed + $(awk '$1 !~ /^ring\./ && /\.dropped_/ { n += $2 }
		END { print n + 0 }' /tmp/stats)))
	unload || failed="$failed rmmod"
}

insmod $MODULES/kprof_known.ko
if ! has_trampoline; then
	rmmod kprof_known
	skip_all "this kernel has no trampoline"
fi

targets=$(many_functions)
number=$(echo "$targets" | tr ',' '\n' | grep -c .)
points=5
[ "$LOAD" != hackbench ] || points=7
plan $points
between "$number" 50 64 "there are some 64 functions to watch"
: >/tmp/load.runs
: >/tmp/load.failed
$LOAD &
one=$!
$LOAD &
two=$!
i=0
while [ $i -lt "$TIMES" ]; do
	once $((i % 2))
	i=$((i + 1))
	diag "$i of $TIMES: $fired calls of the kernel's functions; $missed of all were missed, and" \
		"counted; up $(cut -d. -f1 /proc/uptime) s"
done
kill $one $two
wait $one $two
is "$failed" "" "$number functions at once, $TIMES times, under $LOAD"
is "$wrong" "" "every account adds up"
is "$counted" $((TIMES * CALLS * $(nproc))) "every call of a known number is there, or in missed"
between "$fired" $((TIMES * CALLS)) 1000000000000 "and the load was watched, too"
if [ "$LOAD" = hackbench ]; then
	is "$(cat /tmp/load.failed)" "" "hackbench has noticed nothing"
	between "$(wc -l </tmp/load.runs)" $((TIMES / 10 + 1)) 1000000 "and has come to its end"
fi
rmmod kprof_known
