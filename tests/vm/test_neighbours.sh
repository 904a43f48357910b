#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_neighbours - ftrace, perf, trace-cmd and bpftrace on the functions that kprof watches
# vm: --turns --bin trace-cmd --bin perf --try-bin bpftrace
# timeout: 900
#
# alone
#
# Each of them counts known_called exactly without kprof, beside it, and after it. None patches as
# often what is called meanwhile: with a thread for each CPU the emulator does not keep up, and a
# CPU on a busy machine went for ever to a breakpoint that was not there; see scripts/vm.
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

TRACE=/sys/kernel/tracing
WORK="echo >>/tmp/works; echo 1000 >/sys/module/kprof_known/parameters/call"
CALLS=$((1000 * $(nproc)))

# works: how often it has been done
works() { wc -l </tmp/works; }

# by_ftrace TRACER: what a tracer of the kernel's sees of the work
by_ftrace() {
	echo >$TRACE/trace
	echo known_called >$TRACE/set_ftrace_filter
	echo "$1" >$TRACE/current_tracer
	sh -c "$WORK"
	grep -c 'known_called' $TRACE/trace
	echo nop >$TRACE/current_tracer
	echo >$TRACE/set_ftrace_filter
}

# On a busy machine its process for a CPU may be so late that it is told to end before it has begun,
# and there is nothing of that CPU's thousand: then once more.
by_trace_cmd() {
	for _ in 1 2 3 4 5; do
		trace-cmd record -q -b 20000 -p function -l known_called -o /tmp/trace.dat \
			sh -c "$WORK" >/dev/null 2>&1
		seen=$(trace-cmd report -i /tmp/trace.dat 2>/dev/null | grep -c 'known_called')
		[ "$seen" != $CALLS ] && [ $((seen % 1000)) = 0 ] || break
	done
	echo "$seen"
}

# Kprobe events, at the entry and at the return, that perf counts.
by_perf() {
	perf stat -x , -a -e kprobes:entered,kprobes:left -o /tmp/stat -- sh -c "$WORK"
	awk -F , '/kprobes/ { print $1 }' /tmp/stat | tr '\n' ' '
}

# Per cent of the samples of perf record in the three busy functions that are in known_half;
# by address: perf does not look for the symbols of a module that it finds no file of.
by_perf_record() {
	perf record -q -a -F 999 -e cpu-clock -o /tmp/perf.data \
		sh -c 'echo 2000 >/sys/module/kprof_known/parameters/spin' >/dev/null 2>&1
	perf script -i /tmp/perf.data -F ip 2>/dev/null >/tmp/samples
	awk 'NR == FNR && on { end[on] = $1; on = "" }
		NR == FNR { if ($3 ~ /^known_(half|third|fifth)$/) { start[$3] = $1; on = $3 }; next }
		{ for (f in start)
			if ("x" $1 >= "x" start[f] && "x" $1 < "x" end[f]) { n++; half += f == "known_half" } }
		END { print n ? int(100 * half / n) : "no samples" }' /tmp/symbols /tmp/samples
}

# all STATE: each of them in turn, while bpftrace counts, too
all() {
	is "$(by_ftrace function)" $CALLS "function: each call, $1"
	is "$(by_ftrace function_graph)" $CALLS "function_graph: each call, $1"
	is "$(by_trace_cmd)" $CALLS "trace-cmd: each call, $1"
	is "$(by_perf)" "$CALLS $CALLS " "perf on kprobe events: each entry and return, $1"
}

# beside PROBE: all, beside kprof, which sees all of the work. Shares are exact in
# test_shares; here the threads' looks at the clock, slow in emulation, are left out.
beside() {
	insmod /kprof/kprof.ko target=known_called event=timer freq=999 max_cpu=100 probe="$1" \
		maxactive=1000
	works=$(works)
	all "beside probe=$1"
	is "$(latency known_called calls) $(latency known_called missed)" "$((($(works) - works) * CALLS)) 0" \
		"kprof: each call, with probe=$1"
	echo 1 >$KPROF/reset
	between "$(by_perf_record)" 40 60 "perf record: half of the time in known_half, probe=$1"
	echo 0 >$KPROF/enable
	between $((100 * $(folded_total '^.timer.;.*;known_half[; ]') /
		$(folded_total '^.timer.;.*;known_(half|third|fifth)[; ]'))) 40 60 \
		"as kprof says, with probe=$1"
	is "$(unbalanced <$KPROF/stats)" "" "every sample is accounted for, with probe=$1"
	rmmod kprof
}

# ended_by_sync PROGRAM: bpftrace in the background, until sync(2) is called. Not until a SIGINT:
# that is lost where it comes between two of bpftrace's waits for events.
ended_by_sync() {
	bpftrace -e "$1 tracepoint:syscalls:sys_enter_sync { exit(); } BEGIN { printf(\"ready\n\"); }" \
		>/tmp/bpf 2>&1 &
	bpftrace=$!
	tries=0
	while ! grep -q ready /tmp/bpf && kill -0 $bpftrace 2>/dev/null && [ $tries -lt 120 ]; do
		sleep 1
		tries=$((tries + 1))
	done
}

# end_bpftrace: what it has printed is in /tmp/bpf then
end_bpftrace() {
	sync
	grep -q ready /tmp/bpf || kill -KILL $bpftrace 2>/dev/null
	wait $bpftrace
}

# fentry: does a BPF program get to the entry of vfs_read; what it says if not
fentry() {
	timeout -k 10 120 bpftrace -e 'kfunc:vfs_read { @calls = count(); } BEGIN { exit(); }' >/tmp/bpf 2>&1 &&
		echo attached || grep -o 'Error attaching.*' /tmp/bpf
}

# Two cannot be at a function's entry directly. Who is first is there; kprof goes another way then.
fentries() {
	if [ -n "$1" ] || [ ! -e /sys/kernel/btf/vmlinux ] || [ "$(fentry)" != attached ]; then
		for what in "refused" "by kretprobe" "first" "takes a kretprobe" "with keys"; do
			skip "BPF's fentry: $what" "${1:-bpftrace cannot attach to an entry here}"
		done
		return
	fi
	insmod /kprof/kprof.ko record=0 target=vfs_read
	matches "$(fentry)" 'Error attaching' "BPF's fentry is refused where kprof watches by trampoline"
	rmmod kprof
	insmod /kprof/kprof.ko record=0 target=vfs_read probe=kretprobe
	is "$(fentry)" attached "by kretprobe both get there"
	rmmod kprof
	ended_by_sync 'kfunc:vfs_read { @calls = count(); }'
	insmod /kprof/kprof.ko record=0 target=vfs_read
	cat $MODULES/kprof_known.ko >/dev/null
	end_bpftrace
	matches "$(cat /tmp/bpf)" '^@calls: [1-9]' "where BPF's is first, it stays"
	matches "$(stat vfs_read.probe) $(latency vfs_read calls)" '^kretprobe [1-9]' \
		"and kprof takes a kretprobe"
	rmmod kprof
	# Calls go on while the next target is looked at.
	ended_by_sync 'kfunc:vfs_read { @calls = count(); }'
	dd if=/dev/zero of=/dev/null bs=4000 2>/dev/null &
	insmod /kprof/kprof.ko record=0 target='"vfs_read by=$arg3;known_called"'
	end_bpftrace
	kill $!
	is "$(awk -F '\t' '$2 == "$arg3=4000" { seen = 1 } $2 == "$arg3=0" { wrong = $3 }
		END { print seen, wrong + 0 }' $KPROF/latency)" "1 0" "which reads keys from the first call on"
	rmmod kprof
}

plan 33
cd /tmp || exit
[ -e $TRACE/trace ] || mount -t tracefs tracefs $TRACE
insmod $MODULES/kprof_known.ko
grep ' [tT] .*kprof_known' /proc/kallsyms | sort >/tmp/symbols
echo 20000 >$TRACE/buffer_size_kb
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent	# perf slows down, too, unless told not to
printf 'p:entered known_called\nr:left known_called\n' >$TRACE/kprobe_events

all "without kprof"
ended_by_sync 'kprobe:known_called { @entered = count(); } kretprobe:known_called { @left = count(); }'
before=$(works)
beside auto
beside kretprobe
all "after kprof"
end_bpftrace
reason=
if grep -q ready /tmp/bpf; then
	is "$(sed -n 's/^@entered: //p' /tmp/bpf)" $((($(works) - before) * CALLS)) "bpftrace: each entry, all the time"
	is "$(sed -n 's/^@left: //p' /tmp/bpf)" $((($(works) - before) * CALLS)) "and each return"
else	# not there, as on arm64, or built without BPF's events, as the debug kernel is
	reason="bpftrace does not run here: $(tail -n 1 /tmp/bpf)"
	skip "bpftrace: each entry, all the time" "$reason"
	skip "and each return" "$reason"
fi
fentries "$reason"
is "$(awk '{ print $NF }' $TRACE/kprobe_profile | sort -u)" 0 "no kprobe event has missed a call"
is "$(grep kprof_trampoline $TRACE/enabled_functions)" "" "no function has kprof's trampoline any more"
echo >$TRACE/kprobe_events
rmmod kprof_known
