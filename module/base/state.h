/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.h - does kprof run, with which configuration, and who may change that
 *
 * kprof_mutex is of who controls: configuration, targets, start, stop, reset.
 *
 * What runs on the sampling path does not take it. It runs with preemption disabled and
 * only after it has seen kprof_running, so that clearing that and waiting for
 * synchronize_rcu() means that nobody is on it any more.
 */
#ifndef KPROF_STATE_H
#define KPROF_STATE_H

#include <linux/mutex.h>
#include <linux/types.h>

#include "base/config.h"

extern struct mutex kprof_mutex;

extern struct kprof_config *kprof_config;
extern bool kprof_running;

/* A call counts if this is the same when it returns. Changes while nothing samples. */
extern u32 kprof_calls_epoch;
extern u32 kprof_live_epoch;	/* the same while kprof_running, else 0 */

bool kprof_pause(void);
void kprof_resume(bool running);

#endif /* KPROF_STATE_H */
