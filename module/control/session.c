// SPDX-License-Identifier: GPL-2.0-only
/*
 * session.c - start, stop, configure and reset the profiler as a whole
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/slab.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/state.h"
#include "calls/calls.h"
#include "control/session.h"
#include "points/points.h"
#include "profile/profile.h"
#include "sources/sources.h"
#include "stacks/stacks.h"
#include "symbols/symbols.h"
#include "targets/targets.h"
#include "trampoline/trampoline.h"
#include "user/user.h"

static enum cpuhp_state hotplug_state;

/* Calls under way were begun by the other clock, if it is another: nobody waits for their end. */
static void select_clock(const struct kprof_config *config)
{
	if (kprof_clock_select(config->clock))
		kprof_calls_epoch++;
}

/* What follows from a configuration. */
static void finish_config(struct kprof_config *config)
{
	config->filters = config->nr_pids || config->nr_comms ||
			  !cpumask_subset(cpu_possible_mask, &config->cpus);
	select_clock(config);
}

/* Empty everything behind a closed gate. */
static void clear_all(void)
{
	kprof_calls_epoch++;
	kprof_targets_clear();
	kprof_direct_clear();
	kprof_sources_clear();
	kprof_unwind_clear();
	kprof_user_clear();
	kprof_gone_forget();
	kprof_events_forget(kprof_config);
}

/* A CPU is about to come; or is here, and nothing is sampled. */
static int cpu_comes(unsigned int cpu)
{
	/* It must not be kept from coming for our sake. */
	if (kprof_profile && kprof_profile_add_cpu(kprof_profile, cpu))
		pr_warn("CPU %u: no memory for what it samples, %zu KiB: that is dropped (dropped_nomem) until a start finds memory\n",
			cpu, kprof_profile->cpu_bytes / 1024);
	return 0;
}

/* CPUs that came when there was no memory. */
static void add_cpus(void)
{
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		cpu_comes(cpu);
	cpus_read_unlock();
}

/* A new profile in the place of the old. No CPU comes meanwhile: it would be in neither. */
static int replace_profile(const struct kprof_config *config)
{
	struct kprof_profile *profile;
	int err = 0;

	down_write(&kprof_profile_sem);
	cpus_read_lock();
	profile = kprof_profile_new(config);
	if (profile)
		swap(kprof_profile, profile);
	else
		err = -ENOMEM;
	cpus_read_unlock();
	if (!err)
		clear_all();
	up_write(&kprof_profile_sem);
	kprof_profile_free(profile);
	return err;
}

/**
 * kprof_setup() - take all memory
 * @config:	the configuration; kprof's from now on if this works
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno.
 */
int kprof_setup(struct kprof_config *config)
{
	int err;

	/* Before it runs for the first time. Its memory is for good: nothing to undo. */
	err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "kprof:memory", cpu_comes, NULL);
	if (err < 0)
		return err;
	hotplug_state = err;
	kprof_config = config;
	if (replace_profile(config)) {
		cpuhp_remove_state_nocalls(hotplug_state);
		kprof_config = NULL;
		return kprof_refuse(-ENOMEM, "max_stacks", "", "no memory for %u stacks of %u frames, %u rows and rings of %u KiB: %zu KiB; give less of max_stacks, depth, max_rows or ring_kb",
				    config->max_stacks, config->depth, config->max_rows,
				    config->ring_kb, kprof_profile_wants(config) / 1024);
	}
	finish_config(config);
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
	kprof_events_forget(NULL);
	cpuhp_remove_state_nocalls(hotplug_state);
	kprof_profile_free(kprof_profile);
	kprof_user_exit();
	kfree(kprof_config);
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
	int err = 0;

	lockdep_assert_held(&kprof_mutex);
	if (sizes)
		err = replace_profile(config);
	if (err)
		return err;
	*kprof_config = *config;
	finish_config(kprof_config);
	return 0;
}

/* A kprobe tells what processes map; it needs ftrace where that has the function's start. */
static int start_user(void)
{
	int err = kprof_tracer_hold(KPROF_TRACER_USER);

	if (err)
		return err;
	err = kprof_user_start();
	if (err)
		kprof_tracer_release(KPROF_TRACER_USER);
	return err;
}

static void stop_user(void)
{
	kprof_user_stop();
	kprof_tracer_release(KPROF_TRACER_USER);
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
	err = kprof_events_check(kprof_config);
	if (err)
		return err;
	if (kprof_config->stacks & KPROF_STACKS_USER)
		err = start_user();
	if (err)
		return err;
	add_cpus();
	/* What was open at the stop could be looked at. Its end may have gone by since. */
	kprof_spans_forget();
	/* The kernel may have found out meanwhile that the time-stamp counter is not good. */
	select_clock(kprof_config);
	err = kprof_targets_enable();
	/* Only now: of a span that is seen to begin, the end is seen, too. */
	kprof_resume(true);
	if (!err)
		err = kprof_targets_attach();
	if (!err)
		err = kprof_events_start(kprof_config);
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
	kprof_events_stop();
	kprof_direct_detach();
	/* Points go one by one: ends would be seen of spans that nobody saw begin. */
	kprof_pause();
	kprof_targets_disable();
	stop_user();
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
	bool running;

	lockdep_assert_held(&kprof_mutex);
	down_write(&kprof_profile_sem);
	running = kprof_pause();
	/* A CPU that comes just now has part of its memory: see cpu_comes(). */
	cpus_read_lock();
	kprof_profile_clear(kprof_profile);
	cpus_read_unlock();
	clear_all();
	kprof_resume(running);
	up_write(&kprof_profile_sem);
}
