/* SPDX-License-Identifier: GPL-2.0-only */
/* kernel_stat.h - what the kernel has counted of a CPU's time, for the host: a test counts */
#ifndef KPROF_SHIM_KERNEL_STAT_H
#define KPROF_SHIM_KERNEL_STAT_H

#include <linux/types.h>

enum cpu_usage_stat { CPUTIME_IRQ, CPUTIME_STEAL, NR_STATS };

static struct kernel_cpustat {
	u64 cpustat[NR_STATS];
} shim_cpustat;

#define kcpustat_this_cpu	(&shim_cpustat)

#endif /* KPROF_SHIM_KERNEL_STAT_H */
