/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * switch.h - why the task that is switched from stops running
 */
#ifndef KPROF_SWITCH_H
#define KPROF_SWITCH_H

#include <linux/sched.h>
#include <linux/types.h>

#include "calls/calls.h"
#include "points/throttle.h"

/**
 * kprof_switch_preempts() - could the task that is switched from have gone on
 * @arg:	the arguments of the tracepoint sched_switch: preempt, prev, next, prev_state
 *
 * A task with a pending signal goes on, whatever it was about to wait for: the scheduler has set
 * __state back. Otherwise, prev_state is what the task has set. __state may be TASK_WAKING by now,
 * as another CPU may wake the task as soon as it is off the run queue.
 *
 * Context: in that tracepoint. Return: whether it could.
 */
static __always_inline bool kprof_switch_preempts(const u64 *arg)
{
	const struct task_struct *task = (const struct task_struct *)arg[1];

	return (u8)arg[0] || !(u32)arg[3] || !READ_ONCE(task->__state);
}

/**
 * kprof_state_of_switch() - why the task that is switched from stops running
 * @arg:	the arguments of the tracepoint sched_switch
 *
 * Context: in that tracepoint. Return: enum kprof_state.
 */
static __always_inline u8 kprof_state_of_switch(const u64 *arg)
{
	const struct task_struct *task = (const struct task_struct *)arg[1];
	u32 state = arg[3];

	if (kprof_switch_preempts(arg))
		return kprof_throttle_keeps(task) ? KPROF_STATE_THROTTLED : KPROF_STATE_PREEMPTED;
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
