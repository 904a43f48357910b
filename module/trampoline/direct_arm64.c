// SPDX-License-Identifier: GPL-2.0-only
/*
 * direct_arm64.c - what the trampoline calls, and what it relies on, on arm64
 */
#include <linux/build_bug.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include <asm/insn.h>

#include "base/state.h"
#include "calls/calls.h"
#include "trampoline/direct.h"

#define BTI_C		0xd503245f
#define BTI_JC		0xd50324df

/**
 * kprof_direct_site() - the address in a function to which the trampoline returns
 * @function:	the function's address
 *
 * Context: any. Return: the address after ftrace's two instructions. A BTI landing pad may come
 * before these.
 */
unsigned long kprof_direct_site(unsigned long function)
{
	u32 insn;

	if (!copy_from_kernel_nofault(&insn, (void *)function, sizeof(insn)) &&
	    (insn == cpu_to_le32(BTI_C) || insn == cpu_to_le32(BTI_JC)))
		function += AARCH64_INSN_SIZE;
	return function + 2 * AARCH64_INSN_SIZE;
}

/**
 * kprof_direct_has_room() - may the trampoline use this part of the stack
 * @frame:	on the stack, in its lower half
 *
 * Nested watched calls may use only the upper half of a stack, so that functions have the
 * lower half for themselves. All stacks have the same alignment, so the trampoline
 * has already decided this by the stack pointer.
 *
 * Context: as kprof_direct_enter(). Return: false, and the call is counted.
 */
bool kprof_direct_has_room(struct kprof_frame *frame)
{
	struct kprof_target *target = kprof_direct_table[kprof_direct_slot(frame->ip)].target;

	if (READ_ONCE(kprof_live_epoch) && target)
		this_cpu_inc(target->cpu->crowded);
	return false;
}
NOKPROBE_SYMBOL(kprof_direct_has_room);

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
	kprof_start_regs(regs, function, (unsigned long)(frame + 1), frame->fp,
			 kprof_frame_caller(frame));
}

/**
 * kprof_direct_check() - check at build time what trampoline_arm64.S relies on
 *
 * Context: any.
 */
void kprof_direct_check(void)
{
	BUILD_BUG_ON(sizeof(struct kprof_frame) != 208);
	BUILD_BUG_ON(offsetof(struct kprof_frame, arg) != 16);
	BUILD_BUG_ON(offsetof(struct kprof_frame, result) != 80);
	BUILD_BUG_ON(offsetof(struct kprof_frame, ip) != 88);
	BUILD_BUG_ON(offsetof(struct kprof_frame, mark) != 96);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.target) != 104);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.start) != 128);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.sample) != 144);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.epoch) != 152);
	BUILD_BUG_ON(KPROF_NR_ARGS > KPROF_ARGUMENT_REGS);
	BUILD_BUG_ON(IRQ_STACK_SIZE != THREAD_SIZE);
}
