/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * enter.h - the entry to, and the return from, a call of a target
 */
#ifndef KPROF_ENTER_H
#define KPROF_ENTER_H

#include <linux/hardirq.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "base/clock.h"
#include "base/ids.h"
#include "base/state.h"
#include "calls/call.h"
#include "calls/keys.h"
#include "calls/recent.h"
#include "calls/target.h"
#include "stacks/stacks.h"

struct kprof_latency;

bool kprof_call_passes(struct kprof_target *target, struct task_struct *task, u32 own);
bool kprof_call_look(struct kprof_call *call, const struct kprof_entry *entry);
bool kprof_call_sample(struct kprof_call *call, const struct kprof_entry *entry);
bool kprof_call_enter(struct kprof_call *call, struct kprof_target *target,
		      const struct kprof_entry *entry);
struct kprof_latency *kprof_call_row(struct kprof_call *call);
void kprof_call_pass(struct kprof_call *call, const struct kprof_entry *at);
void kprof_call_passed(struct kprof_target *target, struct pt_regs *regs, u32 own);
void kprof_call_leave(struct kprof_call *call, u64 retval);
void kprof_call_sampled(const struct kprof_call *call, u64 ns, u64 ago,
			const struct kprof_entry *at, u32 pid, const struct kprof_latency *row);

/*
 * Does own= leave out a call that is about a task? What interrupts the process has another cause.
 * @own: what the probe's entry path added to preempt_count(). Preemption is disabled.
 */
static __always_inline bool kprof_call_is_own(const struct task_struct *task, u32 own)
{
	return kprof_task_is_own(task) && (task != current || !kprof_context(own));
}

/* As kprof_call_is_wanted(), where no filter parameter leaves out a task: is it not by own=? */
static __always_inline bool kprof_call_is_others(struct kprof_target *target,
						 struct task_struct *task, u32 own)
{
	return likely(!kprof_task_is_own(task)) || kprof_call_passes(target, task, own);
}

/*
 * Is a call to be watched? Checked before anything else, so that what is filtered leaves nothing in
 * any table. Parameters, context and result are those of kprof_call_passes().
 */
static __always_inline bool kprof_call_is_wanted(struct kprof_target *target,
						 struct task_struct *task, u32 own)
{
	const struct kprof_config *config = kprof_config;

	if (unlikely(config->filters & KPROF_FILTER_TASKS)) {
		if (kprof_filter_may_pass(config, task))
			return kprof_call_passes(target, task, own);
		this_cpu_inc(target->cpu->filtered);
		return false;
	}
	return kprof_call_is_others(target, task, own);
}

/*
 * In parts of the idle loop RCU does not watch, so that nothing keeps what filters and keys read.
 * Only the idle task gets there; RCU watches again in what interrupts it.
 */
static __always_inline bool kprof_call_is_unsafe(struct kprof_target *target)
{
	if (likely(!is_idle_task(current)) || rcu_is_watching())
		return false;
	this_cpu_inc(target->cpu->idle);
	return true;
}

/*
 * Is there enough stack left for what is done at a call, or where a point is passed? If not, it is
 * counted. Checked before keys and conditions are read. Preemption is disabled.
 */
static __always_inline bool kprof_call_has_room(struct kprof_target *target)
{
	if (likely(kprof_stack_has_room()))
		return true;
	this_cpu_inc(target->cpu->crowded);
	return false;
}

/* What begins is a sample, too, if that is wanted. Return: whether to watch its end. */
static __always_inline bool kprof_call_take(struct kprof_call *call,
					    const struct kprof_entry *entry, bool is_sampled)
{
	if (is_sampled)
		return kprof_call_sample(call, entry);
	this_cpu_inc(call->target->cpu->unsampled);
	return true;
}

/* A span begins, which may belong to a task other than current. */
static __always_inline void kprof_call_open(struct kprof_call *call, struct kprof_target *target)
{
	call->target = target;
	call->epoch = kprof_calls_epoch;
	call->sample = 0;
}

/* The row that a call is counted in. One that is cached is found without a function call. */
static __always_inline struct kprof_latency *kprof_call_find_row(struct kprof_call *call)
{
	const struct kprof_target *target = call->target;

	if (!target->keys.nr_keys)
		return &this_cpu_ptr(target->cpu)->latency;
	return kprof_recent_row(target, call->value) ?: kprof_call_row(call);
}

/* A call has returned, or a span has ended, of which @end is known; else that is NULL. */
static __always_inline void kprof_call_count(struct kprof_call *call, u64 ns, u64 others,
					     const struct kprof_entry *end)
{
	struct kprof_latency *row = kprof_call_find_row(call);

	kprof_latency_add(row, ns, others);
	if (call->sample)
		kprof_call_sampled(call, ns, 0, end, end ? end->pid : kprof_id_of(current), row);
}

/*
 * Did a jump lead to a kprobe's handler, as the kernel has optimised the probe? What it jumps to
 * stores the registers on the stack, right below the stack pointer that they have. A breakpoint's
 * registers are further down: it aligns the stack, and leaves a gap for an emulated call.
 *
 * KPROBE_FLAG_OPTIMIZED does not tell: it changes before the instruction does.
 */
static inline bool kprof_probe_is_jump(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return regs->sp == (unsigned long)(regs + 1);
#else
	return false;
#endif
}

/*
 * What the path to a kprobe handler added to preempt_count(). An int3 probe always runs in what
 * counts as an NMI. A probe on ftrace's call, or one optimised to a jump, does not, and neither
 * does a breakpoint of arm64: there, in_nmi() is an NMI.
 */
static inline u32 kprof_probe_context(const struct kprobe *probe, const struct pt_regs *regs)
{
	if (!IS_ENABLED(CONFIG_X86) || (probe->flags & KPROBE_FLAG_FTRACE) || !in_nmi() ||
	    kprof_probe_is_jump(regs))
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
