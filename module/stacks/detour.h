/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * detour.h - return addresses that are the trampoline's, and not the caller's
 *
 * Of the trampoline (trampoline/) who unwinds knows this address, and no more.
 */
#ifndef KPROF_DETOUR_H
#define KPROF_DETOUR_H

#include <linux/types.h>

#if defined(CONFIG_X86_64) && defined(CONFIG_UNWINDER_ORC) && \
	defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)
#define KPROF_HAS_DIRECT	1
#elif defined(CONFIG_ARM64) && defined(CONFIG_VMAP_STACK) && \
	defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)
#define KPROF_HAS_DIRECT	1
#else
#define KPROF_HAS_DIRECT	0
#endif

/* From where the trampoline's frame pointer points to the end of its frame, on x86-64. */
#define KPROF_DETOUR_BYTES	24

#if KPROF_HAS_DIRECT
extern const char kprof_trampoline_return[];
extern const char kprof_trampoline_entered[];	/* on arm64 */

/* Where a watched function returns to: who unwinds leaves it out, and what called it. */
static inline bool kprof_direct_is_return(unsigned long addr)
{
	return addr == (unsigned long)kprof_trampoline_return;
}

/* Behind the trampoline's call of kprof_direct_enter(), on arm64. */
static inline bool kprof_direct_is_entered(unsigned long addr)
{
	return addr == (unsigned long)kprof_trampoline_entered;
}
#else
static inline bool kprof_direct_is_return(unsigned long addr) { return false; }
static inline bool kprof_direct_is_entered(unsigned long addr) { return false; }
#endif

#endif /* KPROF_DETOUR_H */
