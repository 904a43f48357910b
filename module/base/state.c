// SPDX-License-Identifier: GPL-2.0-only
/*
 * state.c - does kprof run, with which configuration, and who may change that
 */
#include <linux/compiler.h>
#include <linux/rcupdate.h>

#include "base/state.h"

/* Who changes what is here or in any room above holds it. */
DEFINE_MUTEX(kprof_mutex);

struct kprof_config *kprof_config;
bool kprof_running;
u32 kprof_calls_epoch = 1;
u32 kprof_live_epoch;

/**
 * kprof_pause() - close the gate: no sample and no call begins
 *
 * From its return on nobody is on the sampling path. What begins meanwhile is not seen at all.
 *
 * Context: sleeps; kprof_mutex is held. Return: was it open; for kprof_resume().
 */
bool kprof_pause(void)
{
	bool running = kprof_running;

	kprof_resume(false);
	synchronize_rcu();
	return running;
}

/**
 * kprof_resume() - open the gate
 * @running:	whether to: what kprof_pause() returned
 *
 * Context: kprof_mutex is held.
 */
void kprof_resume(bool running)
{
	WRITE_ONCE(kprof_running, running);
	WRITE_ONCE(kprof_live_epoch, running ? kprof_calls_epoch : 0);
}
