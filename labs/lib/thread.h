/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * thread.h - how a thread of a lab's module waits for its next turn
 */
#ifndef LABS_THREAD_H
#define LABS_THREAD_H

#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/sched.h>

/* Sleep until @time, which is from now on or by CLOCK_MONOTONIC; not if the thread is to stop. */
static inline void lab_sleep(ktime_t time, enum hrtimer_mode mode)
{
	set_current_state(TASK_IDLE);
	if (!kthread_should_stop())
		schedule_hrtimeout(&time, mode);
	__set_current_state(TASK_RUNNING);
}

#endif /* LABS_THREAD_H */
