// SPDX-License-Identifier: GPL-2.0-only
/*
 * profile.c - the memory for samples, allocated at load and when a CPU comes online
 *
 * A CPU whose memory could not be allocated takes no samples: all its levels are busy, and
 * its ring and its counts have no room.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "base/available.h"
#include "profile/memory.h"
#include "profile/wake.h"

#define MAX_TASKS	4096

/* The words of a row: its target and the values of its keys. */
#define CONTEXT_WORDS	(1 + KPROF_MAX_KEYS)
#define MAX_STRINGS	4096
#define MAX_PATHS	1024

/* There may be many tasks even if there are few stacks. */
#define MIN_COUNTS	1024

DECLARE_RWSEM(kprof_profile_sem);
struct kprof_profile *kprof_profile;

static u32 last_epoch;

static u32 rows_of_counts(u32 max_stacks)
{
	return max_t(u32, max_stacks, MIN_COUNTS);
}

/* Without memory, every attempt finds no room or is not made. */
static void make_empty(struct kprof_cpu *own)
{
	memset(own->busy, KPROF_NO_MEMORY, sizeof(own->busy));
	memset(own->frames, 0, sizeof(own->frames));
	kprof_counts_init_none(&own->counts);
	own->rows = NULL;
	own->recalled = NULL;
}

static void free_memory(struct kprof_cpu *own)
{
	int i;

	for (i = 0; i < KPROF_NR_LEVELS; i++)
		kfree(own->frames[i]);
	kprof_counts_free(&own->counts);
	kprof_ring_free(&own->ring);
	vfree(own->rows);
	kvfree(own->recalled);
	make_empty(own);
}

static int take_memory(const struct kprof_profile *profile, struct kprof_cpu *own, int node)
{
	int i;

	for (i = 0; i < KPROF_NR_LEVELS; i++) {
		own->frames[i] = kcalloc_node(profile->depth + KPROF_MAX_SKIP, sizeof(u64),
					      GFP_KERNEL, node);
		if (!own->frames[i])
			return -ENOMEM;
	}
	own->recalled = kvzalloc_node(KPROF_RECALLED_BYTES, GFP_KERNEL, node);
	if (!own->recalled)
		return -ENOMEM;
	own->rows = vzalloc_node(profile->contexts.capacity * sizeof(*own->rows), node);
	if (!own->rows || kprof_ring_init(&own->ring, profile->ring_kb, node))
		return -ENOMEM;
	return kprof_counts_init(&own->counts, rows_of_counts(profile->stacks.capacity), node);
}

/**
 * kprof_profile_add_cpu() - allocate the memory of a CPU, unless it has it already
 * @profile:	the profile
 * @cpu:	a possible CPU that takes no samples meanwhile
 *
 * Context: sleeps; CPU hotplug is locked out.
 * Return: 0; or -ENOMEM, and then the CPU's samples are dropped.
 */
int kprof_profile_add_cpu(struct kprof_profile *profile, int cpu)
{
	struct kprof_cpu *own = per_cpu_ptr(profile->cpu, cpu);

	if (own->ready)
		return 0;
	if (!kprof_is_available(profile->cpu_bytes) ||
	    take_memory(profile, own, cpu_to_node(cpu))) {
		free_memory(own);
		return -ENOMEM;
	}
	memset(own->busy, 0, sizeof(own->busy));
	/* Pairs with kprof_cpu_of(): whoever sees @ready sees the memory. */
	smp_store_release(&own->ready, true);
	WRITE_ONCE(profile->bytes, profile->bytes + profile->cpu_bytes);
	return 0;
}

static size_t bytes_of_cpu(const struct kprof_config *config)
{
	return KPROF_NR_LEVELS * (config->depth + KPROF_MAX_SKIP) * sizeof(u64) +
	       kprof_counts_size(rows_of_counts(config->max_stacks)) +
	       kprof_ring_size(config->ring_kb) +
	       KPROF_RECALLED_BYTES +
	       config->max_rows * sizeof(struct kprof_latency);
}

static size_t bytes_of_tables(const struct kprof_config *config)
{
	return kprof_intern_size(config->max_stacks, config->depth) +
	       kprof_intern_size(MAX_TASKS, KPROF_TASK_WORDS) +
	       kprof_intern_size(config->max_rows, CONTEXT_WORDS) +
	       kprof_intern_size(MAX_STRINGS, KPROF_STRING_WORDS) +
	       kprof_intern_size(MAX_PATHS, KPROF_PATH_WORDS);
}

/**
 * kprof_profile_wants() - how much memory a profile takes when it is created
 * @config:	has the sizes
 *
 * Context: any. Return: bytes, for the CPUs that are online.
 */
size_t kprof_profile_wants(const struct kprof_config *config)
{
	return bytes_of_tables(config) + num_online_cpus() * bytes_of_cpu(config);
}

static int take_tables(struct kprof_profile *profile, const struct kprof_config *config)
{
	if (kprof_intern_init(&profile->stacks, config->max_stacks, config->depth) ||
	    kprof_intern_init(&profile->tasks, MAX_TASKS, KPROF_TASK_WORDS) ||
	    kprof_intern_init(&profile->contexts, config->max_rows, CONTEXT_WORDS) ||
	    kprof_intern_init(&profile->strings, MAX_STRINGS, KPROF_STRING_WORDS) ||
	    kprof_intern_init(&profile->paths, MAX_PATHS, KPROF_PATH_WORDS))
		return -ENOMEM;
	return 0;
}

/**
 * kprof_profile_new() - allocate a profile for the CPUs that are online
 * @config:	has the sizes
 *
 * Context: sleeps; CPU hotplug is locked out.
 * Return: an empty profile, NULL if there is no memory for it.
 */
struct kprof_profile *kprof_profile_new(const struct kprof_config *config)
{
	struct kprof_profile *profile;
	int cpu;

	if (!kprof_is_available(kprof_profile_wants(config)))
		return NULL;
	profile = kzalloc(sizeof(*profile), GFP_KERNEL);
	if (!profile)
		return NULL;
	profile->depth = config->depth;
	profile->ring_kb = config->ring_kb;
	profile->epoch = ++last_epoch;
	profile->cpu_bytes = bytes_of_cpu(config);
	profile->bytes = bytes_of_tables(config);
	profile->cpu = alloc_percpu(struct kprof_cpu);
	if (!profile->cpu || take_tables(profile, config))
		goto fail;
	for_each_possible_cpu(cpu) {
		init_irq_work(&per_cpu_ptr(profile->cpu, cpu)->wake, kprof_ring_wake);
		make_empty(per_cpu_ptr(profile->cpu, cpu));
	}
	for_each_online_cpu(cpu)
		if (kprof_profile_add_cpu(profile, cpu))
			goto fail;
	return profile;

fail:
	kprof_profile_free(profile);
	return NULL;
}

/**
 * kprof_profile_free() - free a profile
 * @profile:	the profile, complete or not; or NULL
 *
 * Context: sleeps; there are no more writers or readers.
 */
void kprof_profile_free(struct kprof_profile *profile)
{
	int cpu;

	if (!profile)
		return;
	for_each_possible_cpu(cpu) {
		if (!profile->cpu)
			break;
		irq_work_sync(&per_cpu_ptr(profile->cpu, cpu)->wake);
		free_memory(per_cpu_ptr(profile->cpu, cpu));
	}
	free_percpu(profile->cpu);
	kprof_intern_free(&profile->stacks);
	kprof_intern_free(&profile->tasks);
	kprof_intern_free(&profile->contexts);
	kprof_intern_free(&profile->strings);
	kprof_intern_free(&profile->paths);
	kfree(profile);
}

/**
 * kprof_profile_clear() - empty a profile and invalidate its ids
 * @profile:	the profile
 *
 * Context: sleeps; nobody writes or reads it meanwhile; CPU hotplug is locked out.
 */
void kprof_profile_clear(struct kprof_profile *profile)
{
	const u32 rows = kprof_intern_used(&profile->contexts);
	struct kprof_cpu *own;
	int cpu;

	profile->epoch = ++last_epoch;
	kprof_intern_clear(&profile->stacks);
	kprof_intern_clear(&profile->tasks);
	kprof_intern_clear(&profile->contexts);
	kprof_intern_clear(&profile->strings);
	kprof_intern_clear(&profile->paths);
	for_each_possible_cpu(cpu) {
		own = per_cpu_ptr(profile->cpu, cpu);
		kprof_ring_clear(&own->ring);
		/* Keys are read on CPUs without memory, too. */
		memset(own->comm, 0, sizeof(own->comm));
		memset(own->cgroup, 0, sizeof(own->cgroup));
		own->newest = 0;
	}
	cpu = -1;
	while ((own = kprof_next_cpu(profile, &cpu))) {
		memset(own->last, 0, sizeof(own->last));
		memset(own->recalled, 0, KPROF_RECALLED_BYTES);
		kprof_counts_clear(&own->counts);
		memset(own->rows, 0, rows * sizeof(*own->rows));
	}
}

/**
 * kprof_profile_used() - how much of its memory a profile uses
 * @profile:	the profile
 *
 * Context: any; samples may be written meanwhile. Return: bytes.
 */
size_t kprof_profile_used(const struct kprof_profile *profile)
{
	const struct kprof_intern *table[] = {
		&profile->stacks, &profile->tasks, &profile->contexts, &profile->strings,
		&profile->paths,
	};
	struct kprof_cpu *own;
	size_t bytes = 0;
	int cpu = -1;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		bytes += (size_t)kprof_intern_used(table[i]) * table[i]->stride;
	while ((own = kprof_next_cpu(profile, &cpu)))
		bytes += kprof_counts_used(&own->counts) * sizeof(*own->counts.row) +
			 kprof_ring_fill(&own->ring) * sizeof(struct kprof_record) +
			 kprof_intern_used(&profile->contexts) * sizeof(*own->rows);
	return bytes;
}
