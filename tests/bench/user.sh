#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# user.sh - what a sample with the stacks of the program and of the kernel costs, beside perf
#
# By frame pointers, and of a program that has none: kprof goes by .eh_frame, perf takes the
# stack's bytes along.
. /kprof/bench/lib.sh

RATE=10000
ROUNDS=150000

# record NAME TIMES FILE COMMAND...: COMMAND records the load into FILE. Each is recorded twice, the
# second time TIMES is 2, and it takes twice as long. That one begins as the other does, so the
# difference is what samples cost once rules and most stacks are known.
record() {
	row=$1.$2 rounds=$(($2 * ROUNDS)) file=$3
	shift 3
	"$@" -- /stopwatch $RESULTS "time.$row" "$load" $rounds >/tmp/said 2>&1 || {
		missing "${row%.*}"
		return 0
	}
	# "123 samples" of kprof, "(123 samples)" of perf
	result "samples.$row" "$(sed -n 's/.*[^0-9]\([0-9]*\) samples.*/\1/p' /tmp/said | tail -n 1)"
	result "bytes.$row" "$(wc -c <"$file")"
	rm -f "$file"*
}

# Neither kprof nor perf slows down by itself where sampling takes much time. The module forgets
# its rules in between.
kprof_record() {
	name=$1
	shift
	for times in 1 2; do
		insmod /kprof/kprof.ko event=none max_cpu=100
		record "$name" $times /tmp/kprof.data kprof record -F $RATE -a -g "$@" -o /tmp/kprof.data
		rmmod kprof
	done
}

# With room for half a second of stacks in its ring, as perf must not lose any.
perf_record() {
	name=$1
	shift
	for times in 1 2; do
		record "$name" $times /tmp/perf.data perf record -m 64M -F $RATE -a -e cpu-clock "$@" -o /tmp/perf.data
	done
}

result user.rate $RATE
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
for load in /nested-fp /nested-bare; do
	kind=${load#/nested-}
	stopwatch "user.$kind.warm" "$load $ROUNDS"
	stopwatch "user.$kind.1" "$load $ROUNDS"
	stopwatch "user.$kind.2" "$load $((2 * ROUNDS))"
done
load=/nested-fp
kprof_record user.fp.kprof --unwind fp
perf_record user.fp.perf -g
load=/nested-bare
kprof_record user.bare.kprof
perf_record user.bare.perf --call-graph dwarf
