// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_call.c - calls of a function in a program or a library, which are spans from its entry to
 * its return
 *
 * A function may call itself. So the calls that are open in a task are numbered, from the outermost
 * to the innermost, and the number is part of the key that joins an entry with its return. The
 * stack pointer tells them apart: it is lower in an inner call, and at the return it is where it
 * was at the entry.
 *
 * A call may be left without a return, by longjmp() or an exception. The next call sees that the
 * stack pointer has come back up.
 */
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "calls/calls.h"
#include "points/open.h"
#include "points/point.h"

#ifdef CONFIG_UPROBES

/* A task is aligned to this many bytes, so the sum of both is the key of one call. */
static u64 key_of(u32 number)
{
	return (unsigned long)current + number;
}

/* The stack pointer before the call instruction. */
static unsigned long stack_at_entry(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return user_stack_pointer(regs) + (user_64bit_mode(regs) ? 8 : 4);
#else
	return user_stack_pointer(regs);
#endif
}

/* What the kernel makes functions return to: a breakpoint; since 6.11 on x86-64 a system call. */
static bool is_trampoline(u32 code)
{
#ifdef CONFIG_X86
	const u32 saves = 0x53415150;	/* push %rax; push %rcx; push %r11 */

	return (uprobe_opcode_t)code == UPROBE_SWBP_INSN || code == saves;
#else
	return code == UPROBE_SWBP_INSN;
#endif
}

/*
 * Was the function called by a jump from the end of a watched call? Then it returns to where that
 * does.
 */
static bool is_called_by_jump(struct pt_regs *regs)
{
	unsigned long link = 0;
	u32 code = 0;

#ifdef CONFIG_X86
	if (copy_from_user_nofault(&link, (void __user *)user_stack_pointer(regs),
				   user_64bit_mode(regs) ? 8 : 4))
		return false;
#else
	link = procedure_link_pointer(regs);
#endif
	return !copy_from_user_nofault(&code, (void __user *)link, sizeof(code)) &&
	       is_trampoline(code);
}

/* Discard the calls of this number and inside of it: they will not return. */
static void discard_from(const struct kprof_point *point, u32 number)
{
	kprof_span_abandon(point->target, key_of(number), KPROF_USER_CALLS - number);
}

/**
 * kprof_user_call_enters() - a function of a program is entered
 * @point:	where the call begins
 * @at:		what can be read here; its number and its stack pointer are filled in
 *
 * Context: task, in the handler of its probe; preemption is disabled. Return: whether there is a
 * number for the call; if not, it is counted.
 */
bool kprof_user_call_enters(const struct kprof_point *point, struct kprof_entry *at)
{
	const u16 source = point->target->source.id;
	const struct kprof_open *outer;
	u32 i;

	at->stack = stack_at_entry(at->regs);
	for (i = 0; i < KPROF_USER_CALLS; i++) {
		outer = kprof_open_peek(source, key_of(i));
		if (!outer)
			break;
		if (at->stack < outer->stack ||
		    (at->stack == outer->stack && is_called_by_jump(at->regs)))
			continue;
		at->number = i;
		discard_from(point, i);
		return true;
	}
	if (i == KPROF_USER_CALLS) {
		this_cpu_inc(point->target->cpu->table_full);
		return false;
	}
	at->number = i;
	return true;
}

/**
 * kprof_user_call_returns() - a function of a program returns
 * @point:	where the call ends
 * @at:		what can be read here; the number of the call is filled in
 *
 * Context: as kprof_user_call_enters(). Return: whether the call is open; if not, a filter left it
 * out, or it began before kprof watched, or in the parent of a new process.
 */
bool kprof_user_call_returns(const struct kprof_point *point, struct kprof_entry *at)
{
	const u16 source = point->target->source.id;
	unsigned long stack = user_stack_pointer(at->regs);
	const struct kprof_open *open;
	bool is_open = false;
	u32 i;

	for (i = 0; i < KPROF_USER_CALLS; i++) {
		open = kprof_open_peek(source, key_of(i));
		if (!open)
			break;
		if (open->stack != stack)
			continue;
		at->number = i;
		is_open = true;
	}
	/* The calls inside were left by longjmp(), or are too many for the kernel to watch. */
	if (is_open)
		discard_from(point, at->number + 1);
	return is_open;
}

#endif /* CONFIG_UPROBES */
