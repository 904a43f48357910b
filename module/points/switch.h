/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * switch.h - why the task that is switched from stops running
 */
#ifndef KPROF_SWITCH_H
#define KPROF_SWITCH_H

#include <linux/sched.h>
#include <linux/types.h>

#include "calls/calls.h"

/**
 * kprof_state_of_switch() - why the task that is switched from stops running
 * @arg:	the arguments of the tracepoint sched_switch: preempt, prev, next, prev_state
 *
 * Context: in that tracepoint. Return: enum kprof_state.
 */
static __always_inline u8 kprof_state_of_switch(const u64 *arg)
{
	const struct task_struct *task = (const struct task_struct *)arg[1];
	u32 state = arg[3];

	/*
	 * A task with a pending signal goes on, whatever it was about to wait for: the scheduler
	 * has set __state back. Otherwise, prev_state is what the task has set. __state may be
	 * TASK_WAKING by now, as another CPU may wake the task as soon as it is off the run queue.
	 */
	if ((u8)arg[0] || !state || !READ_ONCE(task->__state))
		return KPROF_STATE_PREEMPTED;
	if (state & TASK_DEAD)
		return KPROF_STATE_DEAD;
	if (task->in_iowait)
		return KPROF_STATE_IO;
	if (state & (__TASK_STOPPED | __TASK_TRACED | TASK_PARKED))
		return KPROF_STATE_STOPPED;
	if ((state & TASK_INTERRUPTIBLE) || (state & TASK_NOLOAD))
		return KPROF_STATE_SLEEP;
	return KPROF_STATE_WAIT;
}

#endif /* KPROF_SWITCH_H */
