/* SPDX-License-Identifier: GPL-2.0-only */
/* barrier.h - the order of loads and stores, for the host */
#ifndef KPROF_SHIM_BARRIER_H
#define KPROF_SHIM_BARRIER_H

/* The thread sanitizer knows no fences: no test may need it between threads. */
static inline void smp_rmb(void)
{
	__asm__ __volatile__("" : : : "memory");
}

/* As above: only the compiler is kept from reordering. */
static inline void smp_wmb(void)
{
	__asm__ __volatile__("" : : : "memory");
}

#endif /* KPROF_SHIM_BARRIER_H */
