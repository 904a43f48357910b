// SPDX-License-Identifier: GPL-2.0-only
/*
 * orc_stacks.c - the bounds of a CPU's interrupt and exception stacks
 *
 * The kernel does not export them, so they are taken from what its unwinder reports.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "stacks/orc_cache.h"
#include "stacks/orc_rule.h"

/* A task's first function may begin at most this far below the bottom of its stack. */
#define BOTTOM_SIZE	64

/**
 * struct known_stacks - the bounds of a CPU's stacks
 * @of_type:	as the unwinder reported them. The value written for a type is always the
 *		same, so writers may interrupt each other.
 * @asking:	the unwinder is being asked for one
 */
struct known_stacks {
	struct kprof_bounds of_type[STACK_TYPE_EXCEPTION_LAST + 1];
	bool asking;
};

static struct known_stacks __percpu *known_stacks;

/**
 * kprof_orc_remember_stack() - remember a stack that the unwinder has reported
 * @stack:	the stack
 *
 * Context: any, without migration.
 */
void kprof_orc_remember_stack(const struct stack_info *stack)
{
	struct kprof_bounds *known;

	if (stack->type <= STACK_TYPE_TASK || stack->type > STACK_TYPE_EXCEPTION_LAST)
		return;
	known = &this_cpu_ptr(known_stacks)->of_type[stack->type];
	WRITE_ONCE(known->begin, (unsigned long)stack->begin);
	barrier();	/* an end of 0 tells an interrupt that the bounds are not known */
	WRITE_ONCE(known->end, (unsigned long)stack->end);
}

/**
 * kprof_orc_known_stack() - look up one of this CPU's own stacks
 * @sp:		an address on it
 *
 * Context: any, without migration. Return: its bounds; zeroes if they are not known.
 */
struct kprof_bounds kprof_orc_known_stack(unsigned long sp)
{
	const struct known_stacks *known = this_cpu_ptr(known_stacks);
	int i;

	for (i = STACK_TYPE_TASK + 1; i <= STACK_TYPE_EXCEPTION_LAST; i++)
		if (known->of_type[i].end && within(&known->of_type[i], sp, 0))
			return known->of_type[i];
	return (struct kprof_bounds) { };
}

/* @asking breaks the recursion: what the unwinder calls may be watched, and ask again. */
static noinline void ask_for_stack(void)
{
	struct unwind_state state;

	if (this_cpu_read(known_stacks->asking))
		return;
	this_cpu_write(known_stacks->asking, true);
	barrier();
	unwind_start(&state, current, NULL, NULL);
	kprof_orc_remember_stack(&state.stack_info);
	barrier();
	this_cpu_write(known_stacks->asking, false);
}

/**
 * kprof_orc_stack() - the stack that an address is on
 * @sp:		the address; if no known stack has it, ask the unwinder for the stack that
 *		this function runs on
 *
 * Context: any, without migration. Return: its bounds; zeroes if they are not known.
 */
struct kprof_bounds kprof_orc_stack(unsigned long sp)
{
	struct kprof_bounds stack = find_stack(sp);

	if (unlikely(!stack.end)) {
		ask_for_stack();
		stack = find_stack(sp);
	}
	return stack;
}

/**
 * kprof_orc_is_cut_short() - does a stack go on where the unwinder says that it ends
 * @sp:		the stack pointer there
 *
 * A task's stack ends at its bottom, with the registers of user mode or with the first
 * function of a kernel thread. An interrupt stack leads on to another stack. Kernel entry
 * code runs on a small stack, or on one that is not known, and has no caller.
 *
 * Context: any, NMI included, without migration; current's own stack. Return: whether it does.
 */
bool kprof_orc_is_cut_short(unsigned long sp)
{
	struct kprof_bounds stack = kprof_orc_stack(sp);

	if (stack.begin == (unsigned long)task_stack_page(current))
		return sp + BOTTOM_SIZE < (unsigned long)task_pt_regs(current);
	return stack.end - stack.begin > PAGE_SIZE;
}

/**
 * kprof_orc_stacks_init() - allocate the table of bounds
 *
 * Context: sleeps. Return: 0, or -ENOMEM, which is logged.
 */
int kprof_orc_stacks_init(void)
{
	known_stacks = alloc_percpu(struct known_stacks);
	if (known_stacks)
		return 0;
	pr_err("no memory for the bounds of stacks: %zu bytes for each of %u CPUs\n",
	       sizeof(*known_stacks), num_possible_cpus());
	return -ENOMEM;
}

/**
 * kprof_orc_stacks_exit() - undo kprof_orc_stacks_init()
 *
 * Context: sleeps; nothing may unwind from here on.
 */
void kprof_orc_stacks_exit(void)
{
	free_percpu(known_stacks);
}
