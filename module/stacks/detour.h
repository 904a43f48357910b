/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * detour.h - recognizes return addresses that point into kprof's trampoline
 *
 * These addresses are all that the unwinders know of the trampoline (trampoline/).
 */
#ifndef KPROF_DETOUR_H
#define KPROF_DETOUR_H

#include <linux/types.h>

#if defined(CONFIG_X86_64) && defined(CONFIG_UNWINDER_ORC) && \
	defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)
#define KPROF_HAS_DIRECT	1
#elif defined(CONFIG_ARM64) && defined(CONFIG_VMAP_STACK) && \
	(defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) || \
	 defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) || defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
#define KPROF_HAS_DIRECT	1
#else
#define KPROF_HAS_DIRECT	0
#endif

/* On x86-64: distance from where the trampoline's frame pointer points to the end of its frame. */
#define KPROF_DETOUR_BYTES	24

#if KPROF_HAS_DIRECT
extern const char kprof_trampoline_return[];
extern const char kprof_trampoline_entered[];	/* arm64 only */

/* A watched function returns here. Unwinders omit this address, and the call of the trampoline. */
static inline bool kprof_direct_is_return(unsigned long addr)
{
	return addr == (unsigned long)kprof_trampoline_return;
}

/* On arm64: the address after the trampoline's call of kprof_direct_enter(). */
static inline bool kprof_direct_is_entered(unsigned long addr)
{
	return addr == (unsigned long)kprof_trampoline_entered;
}
#else
static inline bool kprof_direct_is_return(unsigned long addr) { return false; }
static inline bool kprof_direct_is_entered(unsigned long addr) { return false; }
#endif

#endif /* KPROF_DETOUR_H */
