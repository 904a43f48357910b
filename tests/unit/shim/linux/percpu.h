/* SPDX-License-Identifier: GPL-2.0-only */
/* percpu.h - memory of each CPU, for the host: an array */
#ifndef KPROF_SHIM_PERCPU_H
#define KPROF_SHIM_PERCPU_H

#include <linux/compiler.h>

#define this_cpu_inc(counter) \
	({ interrupt_point(); __atomic_fetch_add(&(counter), 1, __ATOMIC_RELAXED); })

#define per_cpu_ptr(memory, cpu)	(&(memory)[cpu])

#endif /* KPROF_SHIM_PERCPU_H */
