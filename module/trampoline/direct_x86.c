// SPDX-License-Identifier: GPL-2.0-only
/*
 * direct_x86.c - what the trampoline calls, and what it relies on, on x86-64
 *
 * The functions here decide whether the stack has room for the trampoline, and for what it
 * copies, when the trampoline cannot tell by the stack pointer alone.
 */
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>

#include "base/state.h"
#include "calls/calls.h"
#include "stacks/stacks.h"
#include "trampoline/direct.h"

/**
 * kprof_direct_has_room() - may the trampoline use this part of the stack
 * @frame:	on the stack
 *
 * Nested watched calls may use only the upper half of a stack, so that functions have the
 * lower half for themselves. Called when the stack pointer does not decide this by itself:
 * low on a stack, and in interrupts.
 *
 * Context: as kprof_direct_enter(). Return: whether it may; if not, the call is counted.
 */
bool kprof_direct_has_room(struct kprof_frame *frame)
{
	struct kprof_target *target;
	struct kprof_bounds stack;
	bool has_room;

	/* While the module is unloaded, this may be impossible to tell, and is not needed. */
	if (!READ_ONCE(kprof_live_epoch))
		return false;
	preempt_disable_notrace();
	stack = kprof_orc_stack((unsigned long)frame);
	/* Of an unknown stack, nobody knows how much is left. */
	has_room = stack.end &&
		   (unsigned long)frame - stack.begin >= (stack.end - stack.begin) / 2;
	if (!has_room) {
		target = kprof_direct_table[kprof_direct_slot(frame->ip)].target;
		if (target)
			this_cpu_inc(target->cpu->crowded);
	}
	preempt_enable_notrace();
	return has_room;
}
NOKPROBE_SYMBOL(kprof_direct_has_room);

/**
 * kprof_direct_stack_args() - number of words of stack arguments that can be there
 * @frame:	whose copy would reach into the next page
 *
 * Context: as kprof_direct_enter(). Return: words up to the end of the stack.
 */
unsigned long kprof_direct_stack_args(const struct kprof_frame *frame)
{
	unsigned long begin = (unsigned long)frame->stack_arg;
	unsigned long end;

	preempt_disable_notrace();
	end = kprof_orc_stack(begin).end;
	preempt_enable_notrace();
	/* Unknown stack: this page is mapped, as we are running on it. */
	if (!end)
		end = PAGE_ALIGN(begin);
	return min((end - begin) / sizeof(u64), (unsigned long)KPROF_STACK_ARGS);
}
NOKPROBE_SYMBOL(kprof_direct_stack_args);

/**
 * kprof_frame_regs() - the registers as they were at a watched function's first instruction
 * @frame:	on the stack
 * @function:	its address
 * @regs:	where they go; only those that unwinding needs are set
 *
 * Context: any.
 */
void kprof_frame_regs(const struct kprof_frame *frame, unsigned long function,
		      struct pt_regs *regs)
{
	kprof_start_regs(regs, function, (unsigned long)&frame->caller, frame->bp, 0);
}

/**
 * kprof_direct_check() - check at build time what trampoline_x86.S relies on
 *
 * Context: any.
 */
void kprof_direct_check(void)
{
	BUILD_BUG_ON(offsetof(struct kprof_frame, bp) != 152);
	BUILD_BUG_ON(sizeof(struct kprof_frame) - offsetof(struct kprof_frame, bp) !=
		     KPROF_DETOUR_BYTES);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.target) != 48);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.start) != 72);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.sample) != 88);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.epoch) != 96);
	BUILD_BUG_ON(KPROF_STACK_ARGS != 8);
	BUILD_BUG_ON((NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK) != 0x00ffff00);
}
