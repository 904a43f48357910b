/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recall.h - recognize a stack that was unwound before, without unwinding it
 *
 * Programs do the same again and again, and so nearly all stacks have been met before. A CPU
 * remembers those that it met, with their paths (stacks/path.h). If a sample begins at the same
 * address, and all return addresses are where they were, its stack has the same id: neither has it
 * to be unwound, nor to be found in the table.
 *
 * A reader may be interrupted by another, but not by a writer: see kprof_remember(). A writer may
 * be interrupted by a reader, who finds an entry that is being written to be empty.
 */
#ifndef KPROF_RECALL_H
#define KPROF_RECALL_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/types.h>

#include "profile/profile.h"
#include "stacks/stacks.h"

#if KPROF_HAS_PATHS
void kprof_remember(struct kprof_cpu *cpu, const struct pt_regs *regs, u32 skip, u32 id,
		    const struct kprof_path *path);

/* What must be equal besides the first address. */
static __always_inline u64 kprof_recall_kind(u32 epoch, u32 skip)
{
	return (u64)epoch << 32 | skip;
}

/*
 * The set of ways of which one may have a stack. What system call it is tells stacks apart, and
 * whether it is one at all: a kernel thread has zeroes there.
 */
static __always_inline u32 kprof_recall_set(unsigned long ip)
{
	const struct pt_regs *user = task_pt_regs(current);
	u32 mix = (u32)ip ^ (u32)(user->orig_ax + user->cs) << 20;

	return (mix * 0x9e3779b1U) >> (32 - KPROF_RECALLED_LOG2);
}

/* The end of current's own stack; 0 if @sp is on another one. */
static __always_inline unsigned long kprof_recall_end(unsigned long sp)
{
	unsigned long begin = (unsigned long)task_stack_page(current);

	return sp - begin < THREAD_SIZE ? begin + THREAD_SIZE : 0;
}

/**
 * kprof_recall() - the id of a stack that this CPU has met before
 * @cpu:	this CPU's part of the profile, in which this level is busy
 * @stacks:	the stacks
 * @regs:	kernel-mode registers of current
 * @skip:	number of innermost frames that are left out; 1 at most of any that is recalled
 *
 * Context: any, NMI included; preemption is disabled. Return: the id, KPROF_ID_FIRST or above;
 * KPROF_ID_NONE if it has to be unwound.
 */
static __always_inline u32 kprof_recall(struct kprof_cpu *cpu, const struct kprof_intern *stacks,
					const struct pt_regs *regs, u32 skip)
{
	const u64 kind = kprof_recall_kind(READ_ONCE(kprof_path_epoch), skip);
	const unsigned long end = kprof_recall_end(regs->sp);
	const u32 set = kprof_recall_set(regs->ip);
	const struct kprof_recalled *kept;
	u32 tries, way;

	if (unlikely(!end))
		return KPROF_ID_NONE;
	way = cpu->recent[set];
	for (tries = 0; tries < KPROF_RECALLED_WAYS; tries++) {
		kept = &cpu->recalled[set][way];
		if (READ_ONCE(kept->ip) == regs->ip && kept->kind == kind &&
		    kprof_recalled_holds(kept, kprof_intern_words(stacks, kept->id) + 1 - skip,
					 regs->sp, regs->bp, end)) {
			if (tries)
				WRITE_ONCE(cpu->recent[set], way);
			return kept->id;
		}
		way = (way + 1) % KPROF_RECALLED_WAYS;
	}
	return KPROF_ID_NONE;
}
#else
static inline void kprof_remember(struct kprof_cpu *cpu, const struct pt_regs *regs, u32 skip,
				  u32 id, const struct kprof_path *path) { }
static inline u32 kprof_recall(struct kprof_cpu *cpu, const struct kprof_intern *stacks,
			       const struct pt_regs *regs, u32 skip)
{
	return KPROF_ID_NONE;
}
#endif

#endif /* KPROF_RECALL_H */
