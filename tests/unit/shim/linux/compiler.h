/* SPDX-License-Identifier: GPL-2.0-only */
/* compiler.h - single loads and stores, what is likely and what is apart, for the host */
#ifndef KPROF_SHIM_COMPILER_H
#define KPROF_SHIM_COMPILER_H

#include <sys/cdefs.h>	/* __always_inline */

#include "../interrupt.h"

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define noinline	__attribute__((__noinline__))
#define __aligned(x)	__attribute__((__aligned__(x)))
/* A race that is meant: what is read is not used then. */
#define data_race(code)	(code)

/* The compiler keeps the order of what is before and behind it. */
static inline void barrier(void)
{
	__asm__ __volatile__("" : : : "memory");
}

#define READ_ONCE(x) \
	({ interrupt_point(); __atomic_load_n(&(x), __ATOMIC_RELAXED); })
#define WRITE_ONCE(x, value) \
	({ interrupt_point(); __atomic_store_n(&(x), value, __ATOMIC_RELAXED); })

#define READ_ONCE_NOCHECK(x)	READ_ONCE(x)

#endif /* KPROF_SHIM_COMPILER_H */
