// SPDX-License-Identifier: GPL-2.0-only
/*
 * session.c - start, stop, configure and reset the profiler as a whole
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "calibrate.h"
#include "clock.h"
#include "direct.h"
#include "error.h"
#include "gone.h"
#include "inside.h"
#include "nest.h"
#include "ring_file.h"
#include "session.h"
#include "source_perf.h"
#include "source_timer.h"
#include "target.h"
#include "unwind.h"

/* Who controls, and who looks at the profile: see session.h. */
DEFINE_MUTEX(kprof_mutex);
DECLARE_RWSEM(kprof_profile_sem);

struct kprof_config *kprof_config;
struct kprof_profile *kprof_profile;
bool kprof_running;
u32 kprof_calls_epoch = 1;
u32 kprof_live_epoch;

static void set_running(bool running)
{
	WRITE_ONCE(kprof_running, running);
	WRITE_ONCE(kprof_live_epoch, running ? kprof_calls_epoch : 0);
}

/* From here on nobody is on the sampling path, and nobody will be. */
static void close_gate(void)
{
	set_running(false);
	synchronize_rcu();
}

/* What follows from a configuration. */
static void finish_config(struct kprof_config *config)
{
	config->filters = config->nr_pids || config->nr_comms ||
			  !cpumask_subset(cpu_possible_mask, &config->cpus);
	/* Calls under way were begun by the other clock: nobody waits for their end. */
	if (kprof_clock_select(config->clock))
		kprof_calls_epoch++;
}

/**
 * kprof_pause() - let no sample and no call begin while targets go
 *
 * What begins meanwhile is not seen at all.
 *
 * Context: sleeps; kprof_mutex is held. Return: for kprof_resume().
 */
bool kprof_pause(void)
{
	bool running = kprof_running;

	close_gate();
	return running;
}

/**
 * kprof_resume() - undo kprof_pause()
 * @running:	what kprof_pause() returned
 *
 * Calls that had begun before are not known to those that begin from now on: of
 * some of them the end will never be seen.
 *
 * Context: kprof_mutex is held.
 */
void kprof_resume(bool running)
{
	kprof_nest_forget();
	set_running(running);
}

/**
 * kprof_setup() - take all memory
 * @config:	the configuration; kprof's from now on if this works
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or -ENOMEM.
 */
int kprof_setup(struct kprof_config *config)
{
	struct kprof_profile *profile = kprof_profile_new(config);

	if (!profile)
		return kprof_refuse(-ENOMEM, "max_stacks", "", "no memory for %u stacks of %u frames, %u rows and rings of %u KiB; give less of max_stacks, depth, max_rows or ring_kb",
				    config->max_stacks, config->depth, config->max_rows,
				    config->ring_kb);
	finish_config(config);
	kprof_config = config;
	kprof_profile = profile;
	return 0;
}

/**
 * kprof_teardown() - give back all that was taken
 *
 * Context: sleeps; kprof_mutex is held, kprof is stopped, and no file is open.
 */
void kprof_teardown(void)
{
	kprof_targets_remove_all();
	kprof_inside_let_out();
	kprof_targets_free();
	kprof_calibrate_exit();
	kprof_timer_forget();
	kprof_perf_forget();
	kprof_profile_free(kprof_profile);
	kfree(kprof_config);
}

/* Empty everything behind a closed gate. */
static void clear_all(void)
{
	kprof_calls_epoch++;
	kprof_targets_clear();
	kprof_direct_clear();
	kprof_sources_clear();
	kprof_unwind_clear();
	kprof_gone_forget();
	if (kprof_config->lead.event != KPROF_EVENT_TIMER)
		kprof_timer_forget();
	kprof_perf_forget();
}

/**
 * kprof_configure() - put a new configuration in place
 * @config:	complete and checked; copied
 * @sizes:	the profile's memory changes: take it anew, empty
 *
 * Context: sleeps; kprof_mutex is held, and kprof is stopped.
 * Return: 0 or -ENOMEM, with nothing changed.
 */
int kprof_configure(const struct kprof_config *config, bool sizes)
{
	struct kprof_profile *profile;

	lockdep_assert_held(&kprof_mutex);
	if (sizes) {
		profile = kprof_profile_new(config);
		if (!profile)
			return -ENOMEM;
		down_write(&kprof_profile_sem);
		swap(kprof_profile, profile);
		clear_all();
		up_write(&kprof_profile_sem);
		kprof_profile_free(profile);
	}
	*kprof_config = *config;
	finish_config(kprof_config);
	return 0;
}

/* What only makes sense or not when all of it is known. */
static int check_config(const struct kprof_config *config)
{
	char period[12];

	if (!config->period || config->lead.event > KPROF_EVENT_TIMER)
		return 0;
	scnprintf(period, sizeof(period), "%u", config->period);
	return kprof_refuse(-EINVAL, "period", period,
			    "is of a counter, and event=%s is none; give event=cpu-clock or another counter, or period=0",
			    config->lead.event ? "timer" : "none");
}

static int start_event(const struct kprof_config *config)
{
	switch (config->lead.event) {
	case KPROF_EVENT_NONE:
		return 0;
	case KPROF_EVENT_TIMER:
		return kprof_timer_start(config);
	default:
		return kprof_perf_start(config);
	}
}

/**
 * kprof_start() - start sampling
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; nothing if it
 * runs already.
 */
int kprof_start(void)
{
	int err;

	lockdep_assert_held(&kprof_mutex);
	if (kprof_running)
		return 0;
	err = check_config(kprof_config);
	if (err)
		return err;
	set_running(true);
	err = kprof_targets_enable();
	if (!err)
		err = start_event(kprof_config);
	if (err)
		kprof_stop();
	return err;
}

/**
 * kprof_stop() - stop sampling
 *
 * Context: sleeps; kprof_mutex is held. Nothing if it does not run.
 */
void kprof_stop(void)
{
	lockdep_assert_held(&kprof_mutex);
	if (!kprof_running)
		return;
	kprof_timer_stop();
	kprof_perf_stop();
	kprof_targets_disable();
	close_gate();
	kprof_ring_wake_all();
}

/**
 * kprof_reset() - empty the profile
 *
 * Sampling goes on afterwards if it went on before. Who has a file of the
 * profile open sees the old one or the new one, and never both.
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_reset(void)
{
	bool running = kprof_running;

	lockdep_assert_held(&kprof_mutex);
	down_write(&kprof_profile_sem);
	close_gate();
	kprof_profile_clear(kprof_profile);
	clear_all();
	set_running(running);
	up_write(&kprof_profile_sem);
}
