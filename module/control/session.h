/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.h - the state of the profiler as a whole, and the locks around it
 *
 * kprof_mutex		who controls: configuration, targets, start, stop, reset
 * kprof_profile_sem	who looks at the profile (read), who replaces or
 *			empties it (write); taken inside kprof_mutex
 *
 * What runs on the sampling path takes neither. It runs with preemption
 * disabled and only after it has seen kprof_running, so that clearing that
 * and waiting for synchronize_rcu() means that nobody is on it any more.
 */
#ifndef KPROF_SESSION_H
#define KPROF_SESSION_H

#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/types.h>

#include "base/config.h"
#include "profile/profile.h"

extern struct mutex kprof_mutex;
extern struct rw_semaphore kprof_profile_sem;

extern struct kprof_config *kprof_config;
extern struct kprof_profile *kprof_profile;
extern bool kprof_running;

/* A call counts if this is the same when it returns. Changes while nothing samples. */
extern u32 kprof_calls_epoch;
extern u32 kprof_live_epoch;	/* the same while kprof_running, else 0 */

int kprof_setup(struct kprof_config *config);
void kprof_teardown(void);
int kprof_configure(const struct kprof_config *config, bool sizes);
int kprof_start(void);
void kprof_stop(void);
bool kprof_pause(void);
void kprof_resume(bool running);
void kprof_reset(void);

#endif /* KPROF_SESSION_H */
