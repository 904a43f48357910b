// SPDX-License-Identifier: GPL-2.0-only
/*
 * room.c - is there enough stack left for a sample, where the stack pointer alone does not tell
 */
#include <linux/align.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/thread_info.h>
#ifdef CONFIG_ARM64
#include <asm/memory.h>
#endif

#include "stacks/room.h"
#include "stacks/unwind.h"

static struct kprof_bounds stack_of(unsigned long sp)
{
	unsigned long begin = (unsigned long)task_stack_page(current);

	if (sp - begin < THREAD_SIZE)
		return (struct kprof_bounds) { begin, begin + THREAD_SIZE };
#ifdef CONFIG_UNWINDER_ORC
	return kprof_orc_stack(sp);
#elif defined(CONFIG_ARM64) && defined(CONFIG_VMAP_STACK)
	/* All other stacks have one size, and are aligned: see unwind_arm64.c. */
	begin = ALIGN_DOWN(sp, THREAD_ALIGN);
	return (struct kprof_bounds) { begin, begin + IRQ_STACK_SIZE };
#else
	return (struct kprof_bounds) { };
#endif
}

/**
 * kprof_stack_is_roomy() - is there enough stack left for a sample
 * @sp:		the stack pointer
 *
 * The stack for NMI is small. It has nothing on it but the NMI, so half of it is enough.
 *
 * Context: any, NMI included; preemption is disabled. Return: whether there is. Of a stack that
 * is not known, nobody knows how much is left, so there is not; but without ORC, no stack of
 * interrupts is known on x86-64, and there is.
 */
bool kprof_stack_is_roomy(unsigned long sp)
{
	const struct kprof_bounds stack = stack_of(sp);

	if (!stack.end)
		return !IS_ENABLED(CONFIG_UNWINDER_ORC);
	return sp - stack.begin >= min_t(unsigned long, KPROF_STACK_NEED,
					 (stack.end - stack.begin) / 2);
}
NOKPROBE_SYMBOL(kprof_stack_is_roomy);
