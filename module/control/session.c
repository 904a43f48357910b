// SPDX-License-Identifier: GPL-2.0-only
/*
 * session.c - starts, stops, configures and resets the profiler as a whole
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/slab.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
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

/* If the clock changes, calls in progress began with the old one and must not be counted. */
static void select_clock(const struct kprof_config *config)
{
	if (kprof_clock_select(config->clock))
		kprof_calls_epoch++;
}

/* Update what depends on the configuration. */
static void finish_config(struct kprof_config *config)
{
	kprof_filter_prepare(config);
	config->filters = 0;
	if (config->nr_pids || config->nr_comms ||
	    !cpumask_subset(cpu_possible_mask, &config->cpus))
		config->filters |= KPROF_FILTER_TASKS;
	if (config->own)
		config->filters |= KPROF_FILTER_OWN;
	WRITE_ONCE(kprof_own, config->own ?: -1);
	select_clock(config);
}

/* Empty everything while nothing takes samples. */
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

/* Memory for a CPU that is about to come online; or it is online, and nothing takes samples. */
static void give_memory(unsigned int cpu)
{
	/* The CPU must come online even without memory for samples. */
	if (kprof_profile && kprof_profile_add_cpu(kprof_profile, cpu))
		pr_warn("CPU %u: no memory for what it samples, %zu KiB: that is dropped (dropped_nomem) until a start finds memory\n",
			cpu, kprof_profile->cpu_bytes / 1024);
}

/* A CPU is about to come online. */
static int cpu_comes(unsigned int cpu)
{
	kprof_nest_cpu_comes(cpu);
	give_memory(cpu);
	return 0;
}

/* Add CPUs that came online when there was no memory. */
static void add_cpus(void)
{
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		give_memory(cpu);
	cpus_read_unlock();
}

/* Replace the profile. CPU hotplug is locked out, or a new CPU would be in neither profile. */
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
 * kprof_setup() - allocate all memory
 * @config:	the configuration; owned by kprof from now on if this succeeds
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno.
 */
int kprof_setup(struct kprof_config *config)
{
	int err;

	/* Do this before the first start. CPUs keep their memory, so there is nothing to undo. */
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
	kprof_ids_take();
	return 0;
}

/**
 * kprof_teardown() - free everything
 *
 * Context: sleeps; kprof_mutex is held, kprof is stopped, and no file is open.
 */
void kprof_teardown(void)
{
	struct kprof_profile *profile = NULL;

	kprof_targets_remove_all();
	kprof_inside_let_out();
	kprof_targets_free();
	kprof_calibrate_exit();
	kprof_events_forget(NULL);
	cpuhp_remove_state_nocalls(hotplug_state);
	/* If the module has to stay, its trampoline still runs, and must not find what is freed. */
	down_write(&kprof_profile_sem);
	swap(kprof_profile, profile);
	up_write(&kprof_profile_sem);
	kprof_profile_free(profile);
	kprof_user_exit();
	kprof_ids_exit();
	kfree(kprof_config);
	kprof_config = NULL;
}

/*
 * Samples have ids of the PID namespace of whoever configures and starts sampling. Those taken
 * before have ids of another one, and two processes would be taken for one. So the profile is
 * emptied. Who configures first, as the reader does, finds nothing emptied when sampling starts.
 */
static void take_ids(void)
{
	if (kprof_ids_are_of_writer())
		return;
	kprof_reset();
	kprof_ids_take();
}

/**
 * kprof_configure() - apply a new configuration
 * @config:	complete and checked; copied
 * @sizes:	the size of the profile's memory changes: replace the profile with an empty one
 *
 * The profile is emptied, too, if samples had ids of another PID namespace until now.
 *
 * Context: sleeps; kprof_mutex is held, and kprof is stopped.
 * Return: 0; or -ENOMEM, and nothing has changed.
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
	take_ids();
	return 0;
}

/* A kprobe reports what processes map. It needs ftrace if it is on ftrace's call. */
static int start_user(void)
{
	int err = kprof_tracer_hold(KPROF_TRACER_USER);

	if (err)
		return err;
	err = kprof_user_start(kprof_config->rules_kb);
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
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno. Does nothing if
 * sampling is running already.
 */
int kprof_start(void)
{
	int err;

	lockdep_assert_held(&kprof_mutex);
	if (kprof_running)
		return 0;
	err = kprof_events_check(kprof_config) ?: kprof_targets_check_ids() ?:
	      kprof_targets_check_stacks();
	if (err)
		return err;
	take_ids();
	if (kprof_config->stacks & KPROF_STACKS_USER)
		err = start_user();
	if (err)
		return err;
	add_cpus();
	/* Spans open at the stop could be read until now. Their ends may have been missed. */
	kprof_spans_forget();
	kprof_throttle_forget();
	/* Meanwhile, the kernel may have found the time-stamp counter to be unreliable. */
	select_clock(kprof_config);
	err = kprof_targets_enable();
	/*
	 * Not earlier: if the beginning of a span is seen, its end must be seen, too. It is for
	 * kprof_stop(), too, which after an error undoes what is running.
	 */
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
 * Context: sleeps; kprof_mutex is held. Does nothing if sampling is not running.
 */
void kprof_stop(void)
{
	lockdep_assert_held(&kprof_mutex);
	if (!kprof_running)
		return;
	kprof_events_stop();
	kprof_direct_detach();
	/* Points are detached one by one: without this pause, spans would end but not begin. */
	kprof_pause();
	kprof_targets_disable();
	stop_user();
	kprof_ring_wake_all();
}

/**
 * kprof_reset() - empty the profile
 *
 * Sampling continues afterwards if it was running. A reader with a file of the profile open
 * sees the old profile or the new one, but never both.
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_reset(void)
{
	bool running;

	lockdep_assert_held(&kprof_mutex);
	down_write(&kprof_profile_sem);
	running = kprof_pause();
	/* A CPU that is coming online may have part of its memory: see cpu_comes(). */
	cpus_read_lock();
	kprof_profile_clear(kprof_profile);
	cpus_read_unlock();
	clear_all();
	kprof_resume(running);
	up_write(&kprof_profile_sem);
}
