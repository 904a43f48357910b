// SPDX-License-Identifier: GPL-2.0-only
/*
 * state.c - the global state: whether kprof is running, and its configuration
 */
#include <linux/compiler.h>
#include <linux/rcupdate.h>

#include "base/state.h"

/* Must be held to change anything here, or in the layers above. */
DEFINE_MUTEX(kprof_mutex);
bool kprof_waits_for_files;

struct kprof_config *kprof_config;
bool kprof_running;
bool kprof_held;
pid_t kprof_own = -1;
u32 kprof_calls_epoch = 1;
u32 kprof_live_epoch;

/**
 * kprof_pause() - stop taking samples and watching calls
 *
 * When it returns, nobody is on the sampling path. What happens until kprof_resume() is not seen.
 *
 * One exception: the assembly of the trampoline's short way does not disable preemption. Where the
 * kernel preempts, a task may be preempted there after it has read kprof_live_epoch and before it
 * has counted the entry of its call. Each such task counts one entry when it runs again. The call's
 * latency counts only if the epoch is still the same.
 *
 * Context: sleeps; kprof_mutex is held. Return: whether kprof was running, for kprof_resume().
 */
bool kprof_pause(void)
{
	bool running = kprof_running;

	kprof_resume(false);
	synchronize_rcu();
	return running;
}

/**
 * kprof_resume() - resume after kprof_pause()
 * @running:	whether to run: what kprof_pause() returned
 *
 * Context: kprof_mutex is held.
 */
void kprof_resume(bool running)
{
	WRITE_ONCE(kprof_running, running);
	WRITE_ONCE(kprof_live_epoch, running ? kprof_calls_epoch : 0);
}

/**
 * kprof_hold() - as kprof_pause(), until kprof_let_go(); what others see is that kprof is on
 *
 * Context: sleeps; kprof_mutex is held. Does nothing if sampling is not running.
 */
void kprof_hold(void)
{
	/* At every moment one of the two is set: see kprof_is_on(). */
	if (kprof_running) {
		WRITE_ONCE(kprof_held, true);
		kprof_pause();
	}
}

/**
 * kprof_let_go() - resume after kprof_hold()
 *
 * Context: kprof_mutex is held.
 */
void kprof_let_go(void)
{
	if (kprof_held)
		kprof_resume(true);
	WRITE_ONCE(kprof_held, false);
}
