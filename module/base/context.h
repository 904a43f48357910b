/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * context.h - what the CPU is doing: a task's work, or that of an interrupt
 */
#ifndef KPROF_CONTEXT_H
#define KPROF_CONTEXT_H

#include <linux/kconfig.h>
#include <linux/preempt.h>
#include <linux/sched.h>		/* in_serving_softirq() reads current */
#include <linux/types.h>

#include "uapi/kprof.h"

/*
 * The interrupt level, of enum kprof_context: task, softirq, hard interrupt or NMI. @own is what a
 * probe's own entry path added to preempt_count(), and is not counted. Context: any, NMI included.
 */
static inline u32 kprof_level(u32 own)
{
	u32 count = preempt_count() - own;

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return KPROF_CTX_TASK;
	return !!(count & NMI_MASK) + !!(count & (NMI_MASK | HARDIRQ_MASK)) +
	       !!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET));
}

/*
 * The same, where also what a task does in a softirq is not the task's. With PREEMPT_RT, softirqs
 * run in tasks, and preempt_count() does not tell; calls are nested there as on the one stack.
 */
static inline u32 kprof_context(u32 own)
{
	u32 level = kprof_level(own);

	return IS_ENABLED(CONFIG_PREEMPT_RT) && !level && in_serving_softirq() ?
		KPROF_CTX_SOFTIRQ : level;
}

#endif /* KPROF_CONTEXT_H */
