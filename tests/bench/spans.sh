#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# spans.sh - what a span costs, beside bpftrace
#
# The loads are processes that block and wake each other, and system calls. One without any
# profiler is taken off all; "empty" is a point of which no passing is of interest.
. /kprof/bench/lib.sh

SWITCHES=20000
CALLS=100000
SWITCHING="/pairs switches $((SWITCHES / 2))"
CALLING="/pairs calls $CALLS"

# kprof_spans NAME LOAD TARGET PARAMETER...
kprof_spans() {
	name=$1 load=$2 target=$3
	shift 3
	insmod /kprof/kprof.ko target="\"$target\"" ring_kb=16384 event=none "$@"
	stopwatch "$name" "$load"
	result "fired.$name" "$(sed -n 's/^[@t].*\.fired: //p' $KPROF/stats | head -n 1)"
	rmmod kprof
}

result spans.switches $SWITCHES
result spans.calls $CALLS
for run in warm 1; do
	stopwatch switches.$run "$SWITCHING"
	stopwatch syscalls.$run "$CALLING"
done
kprof_spans switches.empty "$SWITCHING" 'tp:sched_switch($arg1>1)' record=0
kprof_spans switches.full "$SWITCHING" @offcpu
kprof_spans switches.histogram "$SWITCHING" 'tp:sched_switch($arg2)..tp:sched_switch($arg3)' record=0
kprof_spans switches.state "$SWITCHING" @offcpu record=0
kprof_spans switches.filtered "$SWITCHING" @offcpu comm=nobody
kprof_spans switches.runqueue "$SWITCHING" @runqueue record=0
kprof_spans syscalls.empty "$CALLING" 'tp:sys_enter($arg2<-1)..tp:sys_exit($arg2==77777)' record=0
kprof_spans syscalls.time "$CALLING" 'tp:sys_enter..tp:sys_exit' record=0
kprof_spans syscalls.error "$CALLING" @syscalls record=0

bpf switches.bpf.full "$SWITCHING" '
	tracepoint:sched:sched_switch {
		@s[args->prev_pid] = nsecs; @k[args->prev_pid] = kstack;
		if (@s[args->next_pid]) {
			@[@k[args->next_pid]] = sum(nsecs - @s[args->next_pid]);
			delete(@s[args->next_pid]);
		}
	}'
bpf switches.bpf.histogram "$SWITCHING" '
	tracepoint:sched:sched_switch {
		@s[args->prev_pid] = nsecs;
		if (@s[args->next_pid]) {
			@ = hist(nsecs - @s[args->next_pid]); delete(@s[args->next_pid]);
		}
	}'
bpf switches.bpf.runqueue "$SWITCHING" '
	tracepoint:sched:sched_wakeup, tracepoint:sched:sched_wakeup_new { @s[args->pid] = nsecs; }
	tracepoint:sched:sched_switch {
		if (args->prev_state == 0) { @s[args->prev_pid] = nsecs; }
		if (@s[args->next_pid]) {
			@ = hist(nsecs - @s[args->next_pid]); delete(@s[args->next_pid]);
		}
	}'
bpf syscalls.bpf.error "$CALLING" '
	tracepoint:raw_syscalls:sys_enter { @s[tid] = nsecs; }
	tracepoint:raw_syscalls:sys_exit /@s[tid]/ {
		@t[args->id, args->ret < 0 ? args->ret : 0] = sum(nsecs - @s[tid]);
		@n[args->id, args->ret < 0 ? args->ret : 0] = count(); delete(@s[tid]);
	}'
