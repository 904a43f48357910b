#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# torture.sh - inside the guest: torment kprof, unload it, look at what is left
#
# $SEED and $MINUTES say how; run by tests/torture/run through run-guest, which looks
# at the kernel log, and for leaks where the kernel can tell.
# timeout: 100000
# provokes x86_64: BUG: kernel NULL pointer dereference, address: 0000000000000008
# provokes x86_64: Oops: 0002 \[#[0-9]+\]
# provokes aarch64: Oops: 0000000096000[0-9a-f]+ \[#[0-9]+\]
# provokes: the kernel is tainted: D:died
. /kprof/tests/lib.sh

# What a module could leave behind, in KiB.
memory() {
	echo 3 >/proc/sys/vm/drop_caches
	sleep 3
	awk '/^(VmallocUsed|Percpu|SUnreclaim):/ { n += $2 } END { print n }' /proc/meminfo
}

# round SECONDS: kprof is loaded before and not afterwards. What was said is in /tmp/said.
round() {
	insmod /kprof/kprof.ko
	torture "$SEED" "$1" >/tmp/said
	_status=$?
	echo 0 >/sys/module/kprof_hostile/parameters/thread
	for cpu in /sys/devices/system/cpu/cpu*/online; do
		echo 1 >"$cpu"
	done
	return $_status
}

plan 4
insmod $MODULES/kprof_hostile.ko
echo 0 >/proc/sys/kernel/panic_on_oops
# Some warnings are the kernel's own: in the end the log is looked at for all others.
echo 0 >/proc/sys/kernel/panic_on_warn
# Whatever the first round takes, caches and freed pages kept, is no leak.
round 10
before=$(memory)
succeeds "nothing went wrong" round $((60 * MINUTES))
diag "$(cat /tmp/said)"
is "$(ls $KPROF 2>/dev/null)" "" "nothing is left in debugfs"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
rmmod kprof_hostile
if [ -e /sys/kernel/debug/kmemleak ]; then
	skip "no memory is left behind" "kmemleak is asked, and KASAN keeps what was freed"
else
	between $(($(memory) - before)) -10000000 8192 "no memory is left behind"
fi
