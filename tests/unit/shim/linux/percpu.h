/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * percpu.h - memory of each CPU, for the host: an array, where it is allocated. A variable of each
 * CPU is one of each thread, which sees no other CPU's.
 */
#ifndef KPROF_SHIM_PERCPU_H
#define KPROF_SHIM_PERCPU_H

#include <linux/compiler.h>
#include <linux/cpumask.h>

#define this_cpu_inc(counter) \
	({ interrupt_point(); __atomic_fetch_add(&(counter), 1, __ATOMIC_RELAXED); })

/* The storage of what each thread has for itself, be it a structure or a number. */
#define shim_thread_structure		__thread
#define DEFINE_PER_CPU(type, name)	shim_thread_structure __typeof__(type) name

#define this_cpu_read(variable)		READ_ONCE(variable)
#define this_cpu_write(variable, value)	WRITE_ONCE(variable, value)

#define per_cpu(variable, cpu)		(*((void)(cpu), &(variable)))

#define per_cpu_ptr(memory, cpu)	(&(memory)[cpu])

#endif /* KPROF_SHIM_PERCPU_H */
