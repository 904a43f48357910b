// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames_x86.c - finds the trampoline's frames on a stack, on x86-64
 *
 * A task inside of a watched function has the trampoline's address on its stack, below the
 * trampoline's frame.
 */
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/unwind.h>

#include "calls/calls.h"
#include "trampoline/epilogue.h"
#include "trampoline/frames.h"

/* The trampoline's frame above a watched function's return address, which is at @addr. */
static struct kprof_frame *frame_above(unsigned long addr)
{
	return (struct kprof_frame *)(addr + (KPROF_STACK_ARGS + 1) * sizeof(u64));
}

/**
 * kprof_frame_at() - the target of the call whose return address is at an address
 * @addr:	on a stack, which may be freed meanwhile
 * @end:	end of the stack
 *
 * Context: within RCU, or kprof_mutex is held. Return: the target; NULL if there is none, or only
 * remains of other data.
 */
struct kprof_target *kprof_frame_at(unsigned long addr, unsigned long end)
{
	const struct kprof_frame *from = frame_above(addr);
	struct kprof_target *target;
	struct kprof_frame frame;
	unsigned long word;

	if ((unsigned long)(from + 1) > end ||
	    copy_from_kernel_nofault(&word, (void *)addr, sizeof(word)) ||
	    !kprof_direct_is_return(word) ||
	    copy_from_kernel_nofault(&frame, from, sizeof(frame)))
		return NULL;
	list_for_each_entry_lockless(target, kprof_targets(), node)
		if (frame.call.target == target)
			return frame.ip == kprof_direct_site(target->address) ? target : NULL;
	return NULL;
}

/**
 * kprof_frames_abandon() - the watched calls that current is inside of will not return
 * @abandon:	called for each frame
 *
 * Context: current, in do_exit() or when it oopses: all its frames are still there.
 */
void kprof_frames_abandon(void (*abandon)(struct kprof_frame *frame))
{
	struct unwind_state state;

	for (unwind_start(&state, current, NULL, NULL); !unwind_done(&state);
	     unwind_next_frame(&state))
		if (kprof_direct_is_return(unwind_get_return_address(&state)))
			abandon(container_of((u64 *)state.bp, struct kprof_frame, bp));
}

/**
 * kprof_frames_begin() - where the stack of a task that is not running begins
 * @task:	the task
 *
 * Context: any. Return: the task's stack pointer.
 */
unsigned long kprof_frames_begin(const struct task_struct *task)
{
	return READ_ONCE(task->thread.sp);
}

/**
 * kprof_frames_let_out() - make all calls on a stack return without the trampoline
 * @task:	whose stack it is
 * @addr:	where to begin
 * @end:	end of the stack
 * @count:	called with the target of each call
 *
 * Remains of other data may be taken for a call. Nobody reads these words any more, so changing
 * them is harmless. A call that has returned leaves none: the trampoline's own call overwrites
 * its return address.
 *
 * Context: nobody runs on the stack; kprof_mutex is held.
 */
noinline __no_sanitize_address
void kprof_frames_let_out(struct task_struct *task, unsigned long addr, unsigned long end,
			  void (*count)(struct kprof_target *target))
{
	struct kprof_target *target;

	for (; addr < end; addr += sizeof(u64)) {
		target = kprof_frame_at(addr, end);
		if (!target)
			continue;
		*(unsigned long *)addr = kprof_epilogue.leave;
		frame_above(addr)->ip = kprof_epilogue.ret;
		count(target);
	}
}
