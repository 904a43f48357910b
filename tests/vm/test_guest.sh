#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_guest - the guest is what the other tests take it for
# vm: --bin trace-cmd
# repeats
. /kprof/tests/lib.sh

plan 5
between "$(nproc)" 1 64 "there are CPUs"
matches "$(cat /proc/mounts)" '^debugfs /sys/kernel/debug ' "debugfs is mounted"
matches "$(cat /proc/kallsyms)" ' [tT] vfs_read$' "root sees the kernel's symbols"
succeeds "kprof.ko is here, for this kernel" \
	grep -qa "vermagic=$(uname -r) " /kprof/kprof.ko
succeeds "trace-cmd runs" trace-cmd list -t
