/* SPDX-License-Identifier: GPL-2.0-only */
/* task_stack.h - the kernel stack of a task, for the host: memory that the test gives it */
#ifndef KPROF_SHIM_TASK_STACK_H
#define KPROF_SHIM_TASK_STACK_H

#include <linux/sched.h>

#define THREAD_SIZE	16384UL

static inline void *task_stack_page(const struct task_struct *task)
{
	return task->stack;
}

#endif /* KPROF_SHIM_TASK_STACK_H */
