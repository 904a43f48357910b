#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# samples.sh - what a sample costs, beside perf and bpftrace
. /kprof/bench/lib.sh

RATE=10000
WARM_RATES="9901 9973 10007 10103"
# Between files in memory: 10 frames of kernel stack, and every run is like the others.
COPY="dd if=/tmp/from of=/tmp/to bs=512 count=100000 conv=notrunc"

without_profiler() {
	dd if=/dev/zero of=/tmp/from bs=512 count=100000 2>/dev/null
	cp /tmp/from /tmp/to
	for run in warm 1 2; do
		stopwatch copy.$run "$COPY"
	done
}

# kprof_module NAME PARAMETER...: the module alone, from its first sample on
kprof_module() {
	name=$1
	shift
	insmod /kprof/kprof.ko freq=$RATE ring_kb=4096 "$@"
	stopwatch "$name" "$COPY"
	result "samples.$name" "$(stat timer.fired)"
	rmmod kprof
}

# The same once it has seen most of the code. Which instructions a rate hits is chance,
# so it is several.
kprof_warm() {
	insmod /kprof/kprof.ko freq=$RATE ring_kb=4096
	stopwatch cold "$COPY"
	for rate in $WARM_RATES; do
		echo 0 >$KPROF/enable
		echo "$rate" >$KPROF/freq
		echo 1 >$KPROF/enable
		stopwatch warming "$COPY"
		fired=$(stat timer.fired)
		stopwatch "warm.$rate" "$COPY"
		result "samples.warm.$rate" $(($(stat timer.fired) - fired))
	done
	rmmod kprof
}

# kprof_record NAME COMMAND
kprof_record() {
	# shellcheck disable=SC2086 # the words of a command
	kprof record --module /kprof/kprof.ko -F $RATE -a -o "/out/$1.data" -- \
		/stopwatch $RESULTS "time.$1" $2 >/tmp/said 2>&1
	result "samples.$1" "$(sed -n 's/.*[^0-9]\([0-9]*\) samples.*/\1/p' /tmp/said | tail -n 1)"
	result "bytes.$1" "$(wc -c <"/out/$1.data")"
}

# perf_record NAME COMMAND [OPTION]...
perf_record() {
	name=$1 command=$2
	shift 2
	# shellcheck disable=SC2086 # the words of a command
	perf record -F $RATE -a -e cpu-clock -g "$@" -o "/out/$name.data" -- \
		/stopwatch $RESULTS "time.$name" $command >/tmp/said 2>&1 ||
		{ missing "$name"; return 0; }
	result "samples.$name" "$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' /tmp/said)"
	result "bytes.$name" "$(wc -c <"/out/$name.data")"
}

peers() {
	# Else perf slows down by itself when it takes too much time.
	echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
	perf_record perf "$COPY"
	perf_record perf.twice "sh /tmp/twice"
	perf_record perf.long "sh /tmp/long"
	perf_record perf.kernel.twice "sh /tmp/twice" --kernel-callchains
	bpf bpf.profile "$COPY" "profile:hz:$RATE { @[kstack] = count(); }"
}

printf '%s\n' "$COPY" "$COPY" >/tmp/twice
for _ in 1 2 3 4 5 6 7 8 9 10; do
	cat /tmp/twice
done >/tmp/long
result rate $RATE
without_profiler
kprof_module kprof
kprof_warm
kprof_module filtered comm=nobody
kprof_record record "$COPY"
kprof_record record.twice "sh /tmp/twice"
kprof_record record.long "sh /tmp/long"
peers
cat /proc/kallsyms >/out/kallsyms
