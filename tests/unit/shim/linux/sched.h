/* SPDX-License-Identifier: GPL-2.0-only */
/* sched.h - the state of a task, for the host */
#ifndef KPROF_SHIM_SCHED_H
#define KPROF_SHIM_SCHED_H

#include <linux/compiler.h>
#include <linux/types.h>

#define TASK_RUNNING		0x0000
#define TASK_INTERRUPTIBLE	0x0001
#define TASK_UNINTERRUPTIBLE	0x0002
#define __TASK_STOPPED		0x0004
#define __TASK_TRACED		0x0008
#define TASK_PARKED		0x0040
#define TASK_DEAD		0x0080
#define TASK_WAKING		0x0200
#define TASK_NOLOAD		0x0400

#define PF_EXITING		0x00000004
#define cond_resched()		do { } while (0)

struct task_struct {
	unsigned int __state;
	unsigned in_iowait:1;
	unsigned int flags;
	void *stack;
	unsigned int cpu;
	bool is_idle;
};

/* A thread is a CPU; the test says which task runs on it. */
static __thread struct task_struct *shim_current __attribute__((unused));

#define current	shim_current

static inline bool is_idle_task(const struct task_struct *task)
{
	return task->is_idle;
}

static inline unsigned int task_cpu(const struct task_struct *task)
{
	return task->cpu;
}

#endif /* KPROF_SHIM_SCHED_H */
