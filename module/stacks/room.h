/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * room.h - is there enough stack left for a sample
 *
 * A probe runs on the stack of the code that it interrupts, however deep that is already. All
 * probes but the trampoline, which leaves half of a stack to the functions it watches, ask here.
 */
#ifndef KPROF_ROOM_H
#define KPROF_ROOM_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/thread_info.h>
#include <linux/types.h>

/*
 * Bytes that must be left. A sample with both stacks, keys and a trace event takes up to 2.7 KiB
 * of it on x86-64 and arm64 (tests/vm/modules/kprof_deep.c measures that); the rest is for an
 * interrupt, which enters on this stack, and for a fault at what a key reads. Memory checkers
 * make both frames and stacks larger.
 */
#define KPROF_STACK_NEED	(THREAD_SIZE / 4)

bool kprof_stack_is_roomy(unsigned long sp);

/**
 * kprof_stack_has_room() - is there enough stack left for a sample, and for reading keys
 *
 * The stack of a task is aligned to its size, so two bits of the stack pointer tell. Those of
 * interrupts are not, and are looked up.
 *
 * Context: any, NMI included; preemption is disabled. Return: whether there is.
 */
static __always_inline bool kprof_stack_has_room(void)
{
	const unsigned long sp = current_stack_pointer;

	BUILD_BUG_ON(KPROF_STACK_NEED & (KPROF_STACK_NEED - 1));
	if (likely((sp & (THREAD_SIZE - KPROF_STACK_NEED)) &&
		   !(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK))))
		return true;
	return kprof_stack_is_roomy(sp);
}

#endif /* KPROF_ROOM_H */
