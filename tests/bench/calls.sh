#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# calls.sh - what a watched call costs, beside bpftrace and the kernel's own tracers
#
# All measure the same load, each with one, four and 64 functions, of which the load
# calls one or four, and with three contexts: none, an argument, and how often
# another function was called inside.
. /kprof/bench/lib.sh

TRACING=/sys/kernel/debug/tracing
CALLS=50000
LOAD="dd if=/dev/zero of=/dev/null bs=1 count=$CALLS"
INSIDE=rw_verify_area		# once in each of these:
FOUR="vfs_write vfs_read ksys_write ksys_read"

# functions N: one or four that are called, and beyond these some that are not
functions() {
	case $1 in
	1) echo vfs_write ;;
	4) echo "$FOUR" ;;
	*) echo "$FOUR $(head -n $(($1 - 4)) /tmp/idle | tr '\n' ' ')" ;;
	esac
}

is_called() {
	case " $FOUR " in
	*" $1 "*) true ;;
	*) false ;;
	esac
}

# kprof_calls NAME FUNCTIONS PARAMETER...
kprof_calls() {
	name=$1
	targets=$(echo $2 | tr ' ' ,)
	shift 2
	insmod /kprof/kprof.ko target="$targets" ring_kb=16384 "$@"
	stopwatch "$name" "$LOAD"
	result "samples.$name" "$(stat vfs_write.fired)"
	rmmod kprof
}

# kprof_latency NAME FUNCTIONS KEY PARAMETER...
kprof_latency() {
	name=$1 functions=$2 key=$3
	shift 3
	case $key in
	none) kprof_calls "$name" "$functions" record=0 "$@" ;;
	arg) kprof_calls "$name" "$functions" record=0 "by=\$arg3" "$@" ;;
	hits) kprof_calls "$name" "$functions" record=0 "by=hits($INSIDE)" "$@" ;;
	esac
}

# clauses KEY ENTRY RETURN ARGUMENT FUNCTION: a latency histogram of bpftrace, in maps of
# its own, because these functions call each other
clauses() {
	begin="@s_$5[tid] = nsecs;" map="@$5" end="delete(@s_$5[tid]);"
	if is_called "$5"; then
		case $1 in
		arg)
			begin="$begin @k_$5[tid] = $4;" map="@$5[@k_$5[tid]]"
			end="$end delete(@k_$5[tid]);" ;;
		hits)
			begin="$begin @k_$5[tid] = @hits[tid];" map="@$5[@hits[tid] - @k_$5[tid]]"
			end="$end delete(@k_$5[tid]);" ;;
		esac
	fi
	echo "$2:$5 { $begin }"
	echo "$3:$5 /@s_$5[tid]/ { $map = hist(nsecs - @s_$5[tid]); $end }"
}

# bpf_latency NAME FUNCTIONS KEY ENTRY RETURN ARGUMENT
bpf_latency() {
	program=$(for function in $2; do
		clauses "$3" "$4" "$5" "$6" "$function"
	done)
	[ "$3" != hits ] || program="$program $4:$INSIDE { @hits[tid]++; }"
	bpf "$1" "$LOAD" "$program"
}

# graph NAME FUNCTIONS: function_graph has no contexts, and leaves adding up to others
graph() {
	echo "$2" | tr ' ' '\n' >$TRACING/set_ftrace_filter
	echo function_graph >$TRACING/current_tracer
	stopwatch "$1" "$LOAD"
	echo nop >$TRACING/current_tracer
	echo >$TRACING/set_ftrace_filter
}

# events NAME FUNCTIONS KEY: so do kprobe events; the time of each has to be subtracted, too
events() {
	argument=
	[ "$3" != arg ] || argument="key=\$arg3"
	for function in $2; do
		echo "p:bench/$function $function $argument"
		echo "r:bench/${function}_return $function"
	done >/tmp/events
	[ "$3" != hits ] || echo "p:bench/inside $INSIDE" >>/tmp/events
	cat /tmp/events >$TRACING/kprobe_events
	echo 1 >$TRACING/events/bench/enable
	stopwatch "$1" "$LOAD"
	echo 0 >$TRACING/events/bench/enable
	echo >$TRACING/kprobe_events
}

# bpftrace takes long to begin, and what it does at a call is the same however many
# there are: not all of its combinations.
# peers N KEY
peers() {
	bpf_latency "kfunc.$2.$1" "$functions" "$2" kfunc kretfunc args-\>count
	bpf_latency "kprobe.$2.$1" "$functions" "$2" kprobe kretprobe arg2
}

# measure N KEY
measure() {
	functions=$(functions "$1")
	kprof_latency "direct.$2.$1" "$functions" "$2"
	kprof_latency "kretprobe.$2.$1" "$functions" "$2" probe=kretprobe
	events "events.$2.$1" "$functions" "$2"
	case $1.$2 in
	*.none) graph "graph.$1" "$functions"; peers "$1" "$2" ;;
	1.*) peers "$1" "$2" ;;
	esac
}

with_stack() {
	kprof_calls stack vfs_write
	kprof_calls nostack vfs_write stacks=none
	kprof_calls refused vfs_write comm=nobody
	bpf bpf.stack "$LOAD" '
		kprobe:vfs_write { @s[tid] = nsecs; @n[kstack] = count(); }
		kretprobe:vfs_write /@s[tid]/ { @ = hist(nsecs - @s[tid]); delete(@s[tid]); }'
}

result calls $CALLS
bpftrace -l 'kfunc:tcp_*' 2>/dev/null | sed -n 's/^kfunc:\(vmlinux:\)\{0,1\}\(tcp_[a-z_]*\)$/\2/p' |
	while read -r function; do
		grep -qx "$function" $TRACING/available_filter_functions && echo "$function"
	done >/tmp/idle
for run in warm 1 2; do
	stopwatch load.$run "$LOAD"
done
with_stack
for key in none arg hits; do
	for number in 1 4 64; do
		measure $number $key
	done
done
