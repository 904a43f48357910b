#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_cycles - many times in and out, under load, with readers and CPU hotplug
# timeout: 900
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# A kernel with all its checkers takes half a minute for one.
case $(uname -r) in
*-debug|*-kcsan) CYCLES=${CYCLES:-10} ;;
*) CYCLES=${CYCLES:-10} ;;
esac

read_all() {
	while :; do
		cat $KPROF/folded $KPROF/latency $KPROF/stats $KPROF/stack_table >/dev/null 2>&1
		sleep 0.02
	done
}

read_ring() {
	while :; do
		cat "$KPROF/per_cpu/cpu$1/ring" >/dev/null 2>&1
		sleep 0.02
	done
}

hotplug() {
	while :; do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		sleep 0.3
		echo 1 >/sys/devices/system/cpu/cpu1/online
		sleep 0.3
	done
}

# Memory of kinds a module could leave behind, in KiB. Not that of kretprobes which are gone: the
# kernel frees it when the last thread that was inside has returned, and some sleep in schedule() for
# long. (That no probe is left is a point of its own.)
memory() {
	awk '/^(VmallocUsed|Percpu):/ { n += $2 }
		/ rethook_alloc\+/ { n -= $2 / 1024 }
		END { printf "%d\n", n }' /proc/meminfo /proc/vmallocinfo
}

# An open file holds the module. Once sampling has stopped, readers of rings come
# to an end; those of other files soon are between two of them, unless their CPU stands still.
unload() {
	tries=0
	echo 0 >$KPROF/enable
	until rmmod kprof 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 3000 ] || return 1
		sleep 0.02
	done
}

plan 4
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko && rmmod kprof	# whatever the first time takes is not a leak
before=$(memory)
load & load &
read_all & read_ring 0 & read_ring 1 &
hotplug &

failed=0 done=0
while [ $done -lt $CYCLES ]; do
	case $((done % 4)) in
	0) set -- freq=5000 ;;
	1) set -- target=vfs_read,kmem_cache_free ring_kb=4 ;;
	2) set -- freq=1000 target=schedule,known_called max_stacks=16 ;;
	3) set -- freq=20000 stacks=none idle=1 ;;
	esac
	insmod /kprof/kprof.ko "$@" max_stacks=1024 || failed=$((failed + 1))
	[ $((done % 10)) != 2 ] || known call 1000
	[ $((done % 3)) != 0 ] || echo 1 >$KPROF/reset
	unload || failed=$((failed + 1))
	done=$((done + 1))
done
kill %1 %2 %3 %4 %5 %6
wait
echo 1 >/sys/devices/system/cpu/cpu1/online 2>/dev/null

is "$failed" 0 "$CYCLES times insmod and rmmod"
is "$(ls $KPROF 2>/dev/null)" "" "nothing is left in debugfs"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
# What the kernel keeps for processes to come (of the load there were many) it gives back
# late, or not at all; what each time left behind would be 64 KiB and more.
most=$((1024 + 16 * CYCLES))
tries=0
while [ $(($(memory) - before)) -gt $most ] && [ $tries -lt 60 ]; do
	sleep 1
	tries=$((tries + 1))
done
between $(($(memory) - before)) -100000 $most "no memory is left behind"
rmmod kprof_known
