/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * thread.h - how a thread of a lab's module works, and waits for its next turn
 */
#ifndef LABS_THREAD_H
#define LABS_THREAD_H

#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/sched.h>

/* Sleep until @time, which is from now on or by CLOCK_MONOTONIC; not if the thread is to stop. */
static inline void lab_sleep(ktime_t time, enum hrtimer_mode mode)
{
	set_current_state(TASK_IDLE);
	if (!kthread_should_stop())
		schedule_hrtimeout(&time, mode);
	__set_current_state(TASK_RUNNING);
}

#define LAB_TURNS	200	/* between two looks at the clock: so few samples fall into that */

/* Keep the CPU busy until the clock, ktime_get_mono_fast_ns(), says @end; returns what it says. */
static __always_inline u64 lab_spin_until(u64 end)
{
	unsigned long turns;
	u64 now;

	do {
		for (turns = 0; turns < LAB_TURNS; turns++)
			barrier();
		now = ktime_get_mono_fast_ns();
	} while (now < end);
	return now;
}

/* The next moment of a period after @last that is still to come: what was missed is missed. */
static inline u64 lab_next(u64 last, u64 period_ns)
{
	u64 now = ktime_get_mono_fast_ns();

	do {
		last += period_ns;
	} while (last <= now);
	return last;
}

#endif /* LABS_THREAD_H */
