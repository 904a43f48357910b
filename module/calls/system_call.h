/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * system_call.h - which system call a task is in
 */
#ifndef KPROF_SYSTEM_CALL_H
#define KPROF_SYSTEM_CALL_H

#include <linux/audit.h>
#include <linux/bits.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/types.h>
#include <asm/syscall.h>

#define KPROF_SYSCALL_32	BIT_ULL(32)	/* marks the number of a 32-bit system call */

/*
 * @regs: those with which @task entered the kernel. Numbers of 32-bit system calls have other
 * meanings, so they are marked.
 */
static __always_inline u64 kprof_system_call_in(struct task_struct *task, struct pt_regs *regs)
{
	int nr;

	if ((task->flags & PF_KTHREAD) || !user_mode(regs))
		return -1;
	nr = syscall_get_nr(task, regs);
	if (nr >= 0 && !(syscall_get_arch(task) & __AUDIT_ARCH_64BIT))
		return nr | KPROF_SYSCALL_32;
	return nr;
}

/* Context: any. Return: the number of the system call that the current task is in, or -1. */
static __always_inline u64 kprof_system_call(void)
{
	return kprof_system_call_in(current, task_pt_regs(current));
}

#endif /* KPROF_SYSTEM_CALL_H */
