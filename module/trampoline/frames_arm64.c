// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames_arm64.c - finds the trampoline's frames on a stack, on arm64
 *
 * While a watched function runs, the trampoline's frame has a mark that is not valid at any
 * other address. The return removes the mark. The function's return address is in its frame
 * record, or in the saved registers of an exception. In both, the address of the trampoline's
 * frame comes right before the return address, which may be signed.
 */
#include <linux/compiler.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>
#include <asm/pointer_auth.h>
#include <asm/processor.h>

#include "calls/calls.h"
#include "compat.h"
#include "stacks/peek.h"
#include "trampoline/direct.h"
#include "trampoline/epilogue.h"
#include "trampoline/frames.h"

static struct kprof_frame *frame_of_mark(unsigned long addr)
{
	return container_of((u64 *)addr, struct kprof_frame, mark);
}

/* A copy at another address, such as in saved registers, is not a mark. */
static bool is_mark(unsigned long word, unsigned long addr)
{
	return word == ((unsigned long)kprof_trampoline ^ (unsigned long)frame_of_mark(addr));
}

/**
 * kprof_frame_at() - the target of the call whose mark is at an address
 * @addr:	on a stack, which may be freed meanwhile
 * @end:	end of the stack
 *
 * Context: within RCU, or kprof_mutex is held. Return: the target; NULL if there is none.
 */
struct kprof_target *kprof_frame_at(unsigned long addr, unsigned long end)
{
	const struct kprof_frame *from = frame_of_mark(addr);
	struct kprof_target *target, *its;
	unsigned long word;

	if ((unsigned long)(from + 1) > end ||
	    copy_from_kernel_nofault(&word, (void *)addr, sizeof(word)) || !is_mark(word, addr) ||
	    copy_from_kernel_nofault(&its, &from->call.target, sizeof(its)))
		return NULL;
	list_for_each_entry_lockless(target, kprof_targets(), node)
		if (target == its)
			return target;
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
	unsigned long addr = (unsigned long)task_stack_page(current);
	unsigned long end = addr + THREAD_SIZE;
	unsigned long here = (unsigned long)__builtin_frame_address(0);

	/* What lies below has returned, unless this runs on another stack. */
	if (here - addr < THREAD_SIZE)
		addr = here;
	for (; addr < end; addr += sizeof(u64)) {
		if (!is_mark(kprof_peek(addr), addr))
			continue;
		frame_of_mark(addr)->mark = 0;
		abandon(frame_of_mark(addr));
	}
}

/**
 * kprof_frames_begin() - where the stack of a task that is not running begins
 * @task:	the task
 *
 * Context: any. Return: the task's stack pointer.
 */
unsigned long kprof_frames_begin(const struct task_struct *task)
{
	return READ_ONCE(task->thread.cpu_context.sp);
}

#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
unsigned long kprof_sign(unsigned long address, unsigned long modifier,
			 const struct ptrauth_key *key, const struct ptrauth_key *own);

/* Sign as the task itself would in a function's prologue. */
static unsigned long sign(struct task_struct *task, unsigned long address, unsigned long sp)
{
	return kprof_sign(address, sp, &task->thread.keys_kernel.apia,
			  &current->thread.keys_kernel.apia);
}
#else
static unsigned long sign(struct task_struct *task, unsigned long address, unsigned long sp)
{
	return address;
}
#endif

/* Replace the return address of a watched function, whether it is signed at the moment or not. */
static void redirect(struct task_struct *task, unsigned long addr, unsigned long frame)
{
	bool is_signed = !kprof_direct_is_return(kprof_peek(addr));

	*(unsigned long *)addr = is_signed ? sign(task, kprof_epilogue.leave, frame) :
					     kprof_epilogue.leave;
}

/* Redirect all words that lead to a frame. Return: whether there is one. */
static bool let_out_frame(struct task_struct *task, unsigned long begin, unsigned long frame)
{
	unsigned long addr, address;
	bool found = false;

	for (addr = begin; addr + sizeof(u64) < frame; addr += sizeof(u64)) {
		address = ptrauth_strip_kernel_insn_pac(kprof_peek(addr + sizeof(u64)));
		if (kprof_peek(addr) != frame || !kprof_direct_is_return(address))
			continue;
		redirect(task, addr + sizeof(u64), frame);
		found = true;
	}
	return found;
}

/**
 * kprof_frames_let_out() - make all calls on a stack return without the trampoline
 * @task:	whose stack it is
 * @addr:	where to begin
 * @end:	end of the stack
 * @count:	called with the target of each call
 *
 * Context: nobody runs on the stack; kprof_mutex is held.
 */
void kprof_frames_let_out(struct task_struct *task, unsigned long addr, unsigned long end,
			  void (*count)(struct kprof_target *target))
{
	unsigned long begin = ALIGN(addr, sizeof(u64));
	struct kprof_target *target;
	struct kprof_frame *frame;

	for (addr = begin; addr < end; addr += sizeof(u64)) {
		target = kprof_frame_at(addr, end);
		if (!target)
			continue;
		frame = frame_of_mark(addr);
		if (!let_out_frame(task, begin, (unsigned long)frame))
			continue;
		frame->mark = 0;
		count(target);
	}
}
