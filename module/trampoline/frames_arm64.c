// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames_arm64.c - the trampoline's frames on a stack, on arm64
 *
 * While a watched function runs, the trampoline's frame has a mark that would be none in any
 * other place: who returns takes it away. Where the function will return to is kept where its
 * frame record is, or the registers of an exception: in either, the address of the trampoline's
 * frame stands before the return address, which may be signed.
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
#include "trampoline/direct.h"
#include "trampoline/epilogue.h"
#include "trampoline/frames.h"

/* KASAN must not mind: words of others' frames are read here on purpose. */
static unsigned long peek(unsigned long addr)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)addr);
}

static struct kprof_frame *frame_of_mark(unsigned long addr)
{
	return container_of((u64 *)addr, struct kprof_frame, mark);
}

/* A copy in another place is none: registers that were saved may have one. */
static bool is_mark(unsigned long word, unsigned long addr)
{
	return word == ((unsigned long)kprof_trampoline ^ (unsigned long)frame_of_mark(addr));
}

/**
 * kprof_frame_at() - the target of the call whose mark is at an address
 * @addr:	on a stack, which may go meanwhile
 * @end:	of the stack
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
 * kprof_frames_abandon() - what current is inside of will not return
 * @abandon:	called for each frame
 *
 * Context: current, in do_exit() or when it oopses: all its frames are still there.
 */
void kprof_frames_abandon(void (*abandon)(struct kprof_frame *frame))
{
	unsigned long addr = (unsigned long)task_stack_page(current);
	unsigned long end = addr + THREAD_SIZE;
	unsigned long here = (unsigned long)__builtin_frame_address(0);

	/* Below is what has returned, unless this runs on another stack. */
	if (here - addr < THREAD_SIZE)
		addr = here;
	for (; addr < end; addr += sizeof(u64)) {
		if (!is_mark(peek(addr), addr))
			continue;
		frame_of_mark(addr)->mark = 0;
		abandon(frame_of_mark(addr));
	}
}

/**
 * kprof_frames_begin() - where the stack of a task that does not run begins
 * @task:	the task
 *
 * Context: any. Return: its stack pointer.
 */
unsigned long kprof_frames_begin(const struct task_struct *task)
{
	return READ_ONCE(task->thread.cpu_context.sp);
}

#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
unsigned long kprof_sign(unsigned long address, unsigned long modifier,
			 const struct ptrauth_key *key, const struct ptrauth_key *own);

/* As the task itself would sign it in a function's prologue. */
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

/* A word that a watched function will return by; it is signed, or not yet, or not any more. */
static void redirect(struct task_struct *task, unsigned long addr, unsigned long frame)
{
	bool is_signed = !kprof_direct_is_return(peek(addr));

	*(unsigned long *)addr = is_signed ? sign(task, kprof_epilogue.leave, frame) :
					     kprof_epilogue.leave;
}

/* Of one frame: all words that lead to it. Return: whether there is one. */
static bool let_out_frame(struct task_struct *task, unsigned long begin, unsigned long frame)
{
	unsigned long addr, address;
	bool found = false;

	for (addr = begin; addr + sizeof(u64) < frame; addr += sizeof(u64)) {
		address = ptrauth_strip_kernel_insn_pac(peek(addr + sizeof(u64)));
		if (peek(addr) != frame || !kprof_direct_is_return(address))
			continue;
		redirect(task, addr + sizeof(u64), frame);
		found = true;
	}
	return found;
}

/**
 * kprof_frames_let_out() - see to it that no call on a stack returns into the trampoline
 * @task:	whose stack it is
 * @addr:	from there on
 * @end:	of the stack
 *
 * Context: nobody runs on the stack; kprof_mutex is held. Return: how many calls.
 */
u32 kprof_frames_let_out(struct task_struct *task, unsigned long addr, unsigned long end)
{
	unsigned long begin = ALIGN(addr, sizeof(u64));
	struct kprof_frame *frame;
	u32 nr = 0;

	for (addr = begin; addr < end; addr += sizeof(u64)) {
		if (!kprof_frame_at(addr, end))
			continue;
		frame = frame_of_mark(addr);
		if (!let_out_frame(task, begin, (unsigned long)frame))
			continue;
		frame->mark = 0;
		nr++;
	}
	return nr;
}
