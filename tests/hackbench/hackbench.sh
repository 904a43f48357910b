#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# hackbench.sh - inside the guest: 64 functions watched while hackbench runs, again and again
#
# $TIMES says how often kprof is loaded and unloaded. Run by tests/hackbench/run through
# run-guest, which looks at the kernel log.
# timeout: 100000
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

CALLS=1000	# of known_called by each CPU, each time: a number that is known

hackbench() {
	while [ ! -e /tmp/stop ]; do
		perf bench sched messaging -g 2 -l 100 >/dev/null 2>&1 ||
			echo "status $?" >>/tmp/hackbench.failed
		echo >>/tmp/hackbench.runs
	done
}

# calls COLUMN: of known_called's row
calls() { latency known_called "$1"; }

# What each time adds to.
failed='' wrong='' counted=0 fired=0 missed=0
# once RECORD: load, count, unload
once() {
	insmod /kprof/kprof.ko target="$targets" record="$1" || failed="$failed insmod"
	known call $CALLS || failed="$failed known"
	sleep 1
	counted=$((counted + $(calls calls) + $(calls missed)))
	cat $KPROF/stats >/tmp/stats
	wrong="$wrong$(unbalanced </tmp/stats)"
	fired=$((fired + $(awk '/\.fired:/ { n += $2 } END { print n + 0 }' /tmp/stats)))
	missed=$((missed + $(awk '$1 !~ /^ring\./ && /\.dropped_/ { n += $2 } END { print n + 0 }' /tmp/stats)))
	timeout 120 rmmod kprof || failed="$failed rmmod"
}

insmod $MODULES/kprof_known.ko
targets=$(many_functions)
plan 6
is "$(echo "$targets" | tr ',' '\n' | grep -c .)" 64 "there are 64 functions to watch"
: >/tmp/hackbench.runs
: >/tmp/hackbench.failed
hackbench &
one=$!
hackbench &
two=$!
i=0
while [ $i -lt "$TIMES" ]; do
	once $((i % 2))
	i=$((i + 1))
	diag "$i of $TIMES: $fired calls, $missed of them missed and counted; hackbench ended" \
		"$(wc -l </tmp/hackbench.runs) times; up $(cut -d. -f1 /proc/uptime) s"
done
touch /tmp/stop
wait $one $two
is "$failed" "" "loaded and unloaded $TIMES times"
is "$wrong" "" "and every account adds up"
is "$counted" $((TIMES * CALLS * $(nproc))) "every call of a known number is there, or in missed"
is "$(cat /tmp/hackbench.failed)" "" "hackbench has noticed nothing"
between "$(wc -l </tmp/hackbench.runs)" "$((TIMES / 10))" 1000000 "and has come to its end many times"
rmmod kprof_known
