#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# arm64.sh - what a watched call costs on arm64, beside the kernel's own tracers
#
# As calls.sh, with what can be had there without a distribution: one function and four, alone and by
# an argument.
. /kprof/bench/lib.sh

TRACING=/sys/kernel/debug/tracing
CALLS=20000
LOAD="dd if=/dev/zero of=/dev/null bs=1 count=$CALLS"

# watch NAME TARGETS PARAMETER...
watch() {
	name=$1 targets=$2
	shift 2
	insmod /kprof/kprof.ko target="$targets" record=0 "$@"
	stopwatch "$name" "$LOAD"
	result "samples.$name" "$(stat vfs_write.fired)"
	result "tick" "$(stat clock.tick_ns)"
	rmmod kprof
}

# events NAME FUNCTION [ARGUMENT]
events() {
	printf 'p:bench/a %s %s\nr:bench/b %s\n' "$2" "${3:-}" "$2" >$TRACING/kprobe_events
	echo 1 >$TRACING/events/bench/enable
	stopwatch "$1" "$LOAD"
	echo 0 >$TRACING/events/bench/enable
	echo >$TRACING/kprobe_events
}

# graph NAME FUNCTION
graph() {
	echo "$2" >$TRACING/set_ftrace_filter
	echo function_graph >$TRACING/current_tracer
	stopwatch "$1" "$LOAD"
	echo nop >$TRACING/current_tracer
	echo >$TRACING/set_ftrace_filter
}

result calls $CALLS
for run in warm 1 2; do
	stopwatch load.$run "$LOAD"
done
four=vfs_write,vfs_read,ksys_write,ksys_read
watch direct.none.1 vfs_write
watch direct.arg.1 vfs_write by='$arg3'
watch direct.none.4 $four
watch direct.arg.4 $four by='$arg3'
watch kretprobe.none.1 vfs_write probe=kretprobe
watch kretprobe.arg.1 vfs_write probe=kretprobe by='$arg3'
events events.none.1 vfs_write
events events.arg.1 vfs_write 'key=$arg3'
! grep -qw function_graph $TRACING/available_tracers || graph graph.none.1 vfs_write
