/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.h - the global state: whether kprof is running, and its configuration
 *
 * kprof_mutex serializes control: configuration, targets, start, stop, reset.
 *
 * Code on the sampling path does not take it. It runs with preemption disabled, and only after
 * it has seen kprof_running set. So after clearing kprof_running and a synchronize_rcu(),
 * nobody is on the sampling path any more.
 */
#ifndef KPROF_STATE_H
#define KPROF_STATE_H

#include <linux/compiler.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "base/config.h"

extern struct mutex kprof_mutex;

/*
 * Who holds kprof_mutex waits for a file system, or for the memory map of a process, which may be
 * locked while a file system provides a page of it. That may wait for a module to be loaded or to
 * go, so module notifiers must not wait for him. He changes no function's target meanwhile.
 */
extern bool kprof_waits_for_files;

extern struct kprof_config *kprof_config;
extern bool kprof_running;
extern bool kprof_held;		/* running, but for a moment nothing is sampled: kprof_hold() */
extern pid_t kprof_own;		/* the process that own= leaves out; -1, which no task has: none */

/* A call counts if this has not changed at its return. Changes while nothing takes samples. */
extern u32 kprof_calls_epoch;
extern u32 kprof_live_epoch;	/* the same while kprof_running, else 0 */

/* Is a task of the process that own= leaves out? Reads as little as possible. */
static __always_inline bool kprof_task_is_own(const struct task_struct *task)
{
	return unlikely(task->tgid == READ_ONCE(kprof_own));
}

/* Has sampling been started; it may be held. */
static inline bool kprof_is_on(void)
{
	return READ_ONCE(kprof_running) || READ_ONCE(kprof_held);
}

bool kprof_pause(void);
void kprof_resume(bool running);
void kprof_hold(void);
void kprof_let_go(void);

#endif /* KPROF_STATE_H */
