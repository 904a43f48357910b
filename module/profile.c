// SPDX-License-Identifier: GPL-2.0-only
/*
 * profile.c - the memory that samples go to, all of it taken at load
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "keys.h"
#include "profile.h"
#include "ring_file.h"

#define MAX_TASKS	4096

/* A row's words are its target and the values of its keys. */
#define CONTEXT_WORDS	(1 + KPROF_MAX_KEYS)
#define MAX_STRINGS	4096

/* Few stacks still come with many tasks. */
#define MIN_COUNTS	1024

static u32 last_epoch;

static int init_cpu(struct kprof_profile *profile, int cpu,
		    const struct kprof_config *config)
{
	struct kprof_cpu *own = per_cpu_ptr(profile->cpu, cpu);
	int node = cpu_to_node(cpu);
	int i;

	init_irq_work(&own->wake, kprof_ring_wake);
	for (i = 0; i < KPROF_NR_LEVELS; i++) {
		own->frames[i] = kcalloc_node(profile->depth, sizeof(u64), GFP_KERNEL, node);
		if (!own->frames[i])
			return -ENOMEM;
	}
	if (kprof_counts_init(&own->counts, max_t(u32, config->max_stacks, MIN_COUNTS), node) ||
	    kprof_ring_init(&own->ring, config->ring_kb, node))
		return -ENOMEM;
	own->rows = vzalloc_node(config->max_rows * sizeof(*own->rows), node);
	if (!own->rows)
		return -ENOMEM;
	profile->bytes += KPROF_NR_LEVELS * profile->depth * sizeof(u64) +
			  kprof_counts_bytes(&own->counts) + kprof_ring_bytes(&own->ring) +
			  config->max_rows * sizeof(*own->rows);
	return 0;
}

static void free_cpu(struct kprof_cpu *own)
{
	int i;

	irq_work_sync(&own->wake);
	for (i = 0; i < KPROF_NR_LEVELS; i++)
		kfree(own->frames[i]);
	kprof_counts_free(&own->counts);
	kprof_ring_free(&own->ring);
	vfree(own->rows);
}

/**
 * kprof_profile_new() - take the memory of a profile
 * @config:	says how much
 *
 * Context: sleeps. Return: an empty profile, NULL if there is no memory for it.
 */
struct kprof_profile *kprof_profile_new(const struct kprof_config *config)
{
	struct kprof_profile *profile = kzalloc(sizeof(*profile), GFP_KERNEL);
	int cpu;

	if (!profile)
		return NULL;
	profile->depth = config->depth;
	profile->epoch = ++last_epoch;
	profile->cpu = alloc_percpu(struct kprof_cpu);
	if (!profile->cpu ||
	    kprof_intern_init(&profile->stacks, config->max_stacks, config->depth) ||
	    kprof_intern_init(&profile->tasks, MAX_TASKS, KPROF_TASK_WORDS) ||
	    kprof_intern_init(&profile->contexts, config->max_rows, CONTEXT_WORDS) ||
	    kprof_intern_init(&profile->strings, MAX_STRINGS, KPROF_STRING_WORDS))
		goto fail;
	profile->bytes = kprof_intern_bytes(&profile->stacks) +
			 kprof_intern_bytes(&profile->tasks) +
			 kprof_intern_bytes(&profile->contexts) +
			 kprof_intern_bytes(&profile->strings);
	for_each_possible_cpu(cpu)
		if (init_cpu(profile, cpu, config))
			goto fail;
	return profile;

fail:
	kprof_profile_free(profile);
	return NULL;
}

/**
 * kprof_profile_free() - give the memory of a profile back
 * @profile:	the profile, complete or not; or NULL
 *
 * Context: sleeps; nobody may write to it or read it any more.
 */
void kprof_profile_free(struct kprof_profile *profile)
{
	int cpu;

	if (!profile)
		return;
	if (profile->cpu)
		for_each_possible_cpu(cpu)
			free_cpu(per_cpu_ptr(profile->cpu, cpu));
	free_percpu(profile->cpu);
	kprof_intern_free(&profile->stacks);
	kprof_intern_free(&profile->tasks);
	kprof_intern_free(&profile->contexts);
	kprof_intern_free(&profile->strings);
	kfree(profile);
}

/**
 * kprof_profile_clear() - empty a profile; its ids are good no more
 * @profile:	the profile
 *
 * Context: sleeps; nobody may write to it or read it meanwhile.
 */
void kprof_profile_clear(struct kprof_profile *profile)
{
	struct kprof_cpu *own;
	int cpu;

	profile->epoch = ++last_epoch;
	kprof_intern_clear(&profile->stacks);
	kprof_intern_clear(&profile->tasks);
	kprof_intern_clear(&profile->contexts);
	kprof_intern_clear(&profile->strings);
	for_each_possible_cpu(cpu) {
		own = per_cpu_ptr(profile->cpu, cpu);
		memset(own->last, 0, sizeof(own->last));
		kprof_counts_clear(&own->counts);
		kprof_ring_clear(&own->ring);
		memset(own->rows, 0, profile->contexts.capacity * sizeof(*own->rows));
	}
}

/**
 * kprof_profile_used() - how much of its memory a profile uses
 * @profile:	the profile
 *
 * Context: any; somebody may write to it. Return: bytes.
 */
size_t kprof_profile_used(const struct kprof_profile *profile)
{
	const struct kprof_intern *table[] = {
		&profile->stacks, &profile->tasks, &profile->contexts, &profile->strings,
	};
	const struct kprof_cpu *own;
	size_t bytes = 0;
	u32 i;
	int cpu;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		bytes += (size_t)kprof_intern_used(table[i]) * table[i]->stride;
	for_each_possible_cpu(cpu) {
		own = per_cpu_ptr(profile->cpu, cpu);
		bytes += kprof_counts_used(&own->counts) * sizeof(*own->counts.row) +
			 kprof_ring_fill(&own->ring) * sizeof(struct kprof_record) +
			 kprof_intern_used(&profile->contexts) * sizeof(*own->rows);
	}
	return bytes;
}
