/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * enter.h - the entry to, and the return from, a call of a target
 */
#ifndef KPROF_ENTER_H
#define KPROF_ENTER_H

#include <linux/hardirq.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "base/state.h"
#include "calls/call.h"
#include "calls/keys.h"

struct kprof_latency;
struct kprof_target;

bool kprof_call_passes(struct kprof_target *target, struct task_struct *task, u32 own);
bool kprof_call_begin(struct kprof_call *call, struct kprof_target *target,
		      const struct kprof_entry *entry);
bool kprof_call_enter(struct kprof_call *call, struct kprof_target *target,
		      const struct kprof_entry *entry);
struct kprof_latency *kprof_call_row(struct kprof_call *call);
void kprof_call_pass(struct kprof_call *call, const struct kprof_entry *at);
void kprof_call_passed(struct kprof_target *target, struct pt_regs *regs, u32 own);
void kprof_call_leave(struct kprof_call *call, u64 retval);
void kprof_call_end(struct kprof_call *call, u64 ns, const struct kprof_entry *end);

/*
 * Does own= leave out a call that is about a task? What interrupts the process has another cause.
 * @own: what the probe's entry path added to preempt_count(). Preemption is disabled.
 */
static __always_inline bool kprof_call_is_own(const struct task_struct *task, u32 own)
{
	return kprof_task_is_own(task) && (task != current || !kprof_level(own));
}

/*
 * Is a call to be watched? Checked before anything else, so that what is filtered leaves nothing in
 * any table. Parameters, context and result are those of kprof_call_passes().
 */
static __always_inline bool kprof_call_is_wanted(struct kprof_target *target,
						 struct task_struct *task, u32 own)
{
	if (likely(!(kprof_config->filters & KPROF_FILTER_TASKS) && !kprof_task_is_own(task)))
		return true;
	return kprof_call_passes(target, task, own);
}

/*
 * What the path to a kprobe handler added to preempt_count(). An int3 probe always runs in what
 * counts as an NMI. A probe on ftrace's call, or one optimised to a jump, does not.
 */
static inline u32 kprof_probe_context(const struct kprobe *probe)
{
	if ((probe->flags & KPROBE_FLAG_FTRACE) || !in_nmi())
		return 0;
	return NMI_OFFSET + HARDIRQ_OFFSET;
}

/* Read the arguments from the registers at a function's entry. */
static inline void kprof_read_arguments(struct pt_regs *regs, u64 *arg)
{
	u32 i;

	for (i = 0; i < KPROF_NR_ARGS; i++)
		arg[i] = regs_get_kernel_argument(regs, i);
}

#endif /* KPROF_ENTER_H */
