/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - the memory for samples, allocated at load and when a CPU comes online
 */
#ifndef KPROF_MEMORY_H
#define KPROF_MEMORY_H

#include <asm/local64.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/rwsem.h>

#include "base/config.h"
#include "profile/counts.h"
#include "profile/intern.h"
#include "profile/latency.h"
#include "profile/recalled.h"
#include "profile/ring.h"

/* Task context, softirq, hardirq, NMI: each may interrupt those before it. */
#define KPROF_NR_LEVELS		4

/* Frames of a stack that may belong to the probe; taken in addition to those that are kept. */
#define KPROF_MAX_SKIP		4

/* Maximum number of keys in a context; words of a string key, which is truncated to fit. */
#define KPROF_MAX_KEYS		6
#define KPROF_STRING_WORDS	4

/* Words of a cgroup's path; of one that is longer, the end. */
#define KPROF_PATH_WORDS	32

/* In @busy: the CPU has no memory for samples. It takes none, as if all its levels were busy. */
#define KPROF_NO_MEMORY		2

/* Words of a task's identity: its name, and the id of its cgroup's path where that matters. */
#define KPROF_TASK_WORDS	3
#define KPROF_TASK_CGROUP	2

/* Recent names of tasks among the strings, by their value. */
#define KPROF_RECENT_COMMS_LOG2	3
#define KPROF_RECENT_COMMS	(1 << KPROF_RECENT_COMMS_LOG2)

/* Recent cgroups, by their number. */
#define KPROF_RECENT_CGROUPS_LOG2	2
#define KPROF_RECENT_CGROUPS	(1 << KPROF_RECENT_CGROUPS_LOG2)

/**
 * struct kprof_last_task - the task of the last sample, most likely that of the next one, too
 * @word:	its identity
 * @id:		its id; KPROF_ID_NONE if there was no sample yet
 */
struct kprof_last_task {
	u64 word[KPROF_TASK_WORDS];
	u32 id;
};

/**
 * struct kprof_cpu - per-CPU part of the profile
 * @entered:	number of times the sampling path was entered
 * @left:	number of times it was left; while the two are equal, nobody is on it, and
 *		the accounts of this CPU are consistent
 * @busy:	for each level, whether a sample is being taken; or KPROF_NO_MEMORY
 * @ready:	the parts marked below are allocated; they stay when the CPU goes offline
 * @waiting:	a reader wants to be woken when the ring is half full
 * @remembered: number of stacks kept in @recalled so far
 * @newest:	the largest id of a user stack so far: those above it are new here
 * @frames:	for each level, room for a stack; (memory)
 * @recalled:	stacks that were met, KPROF_RECALLED_BYTES; (memory)
 * @recent:	for each set of these, the way that was of use last
 * @last:	for each level, the last task
 * @comm:	ids of recent names among the strings; 0: none
 * @cgroup:	recent cgroups: number in the upper half, id of the path in the lower; 0: none
 * @counts:	the counts by key; (memory)
 * @ring:	the records; (memory)
 * @rows:	latencies by context, indexed by row id less KPROF_ID_FIRST; (memory)
 * @wake:	wakes readers of the ring
 */
struct kprof_cpu {
	local64_t entered;
	local64_t left;
	u8 busy[KPROF_NR_LEVELS];
	bool waiting;
	bool ready;
	u32 remembered;
	u32 newest;
	u64 *frames[KPROF_NR_LEVELS];
	struct kprof_recalled (*recalled)[KPROF_RECALLED_WAYS];
	u8 recent[KPROF_RECALLED_SETS];
	struct kprof_last_task last[KPROF_NR_LEVELS];
	u32 comm[KPROF_RECENT_COMMS];
	u64 cgroup[KPROF_RECENT_CGROUPS];
	struct kprof_counts counts;
	struct kprof_ring ring;
	struct kprof_latency *rows;
	struct irq_work wake;
};

/**
 * struct kprof_profile - the profile
 * @stacks:	stack ids
 * @tasks:	task ids
 * @contexts:	row ids: a target and the values of its keys
 * @strings:	ids of the strings among those values
 * @paths:	ids of the paths of cgroups, among those values and of tasks
 * @depth:	maximum number of frames in a stack
 * @ring_kb:	size of a ring
 * @cpu_bytes:	memory for one CPU
 * @bytes:	memory allocated
 * @epoch:	ids are valid only within one epoch
 * @cpu:	the per-CPU parts
 */
struct kprof_profile {
	struct kprof_intern stacks;
	struct kprof_intern tasks;
	struct kprof_intern contexts;
	struct kprof_intern strings;
	struct kprof_intern paths;
	u32 depth;
	u32 ring_kb;
	u32 epoch;
	size_t cpu_bytes;
	size_t bytes;
	struct kprof_cpu __percpu *cpu;
};

/**
 * kprof_cpu_of() - the part of a CPU that may have taken samples
 * @profile:	the profile
 * @cpu:	a possible CPU
 *
 * Context: any. Return: the CPU's part; NULL if it never had any memory.
 */
static inline struct kprof_cpu *kprof_cpu_of(const struct kprof_profile *profile, int cpu)
{
	struct kprof_cpu *own = per_cpu_ptr(profile->cpu, cpu);

	/* Pairs with kprof_profile_add_cpu(). */
	return smp_load_acquire(&own->ready) ? own : NULL;
}

/**
 * kprof_next_cpu() - iterate over the CPUs that may have taken samples
 * @profile:	the profile
 * @cpu:	cursor; -1 at first
 *
 * Context: any. Return: the part of the next CPU; NULL after the last.
 */
static inline struct kprof_cpu *kprof_next_cpu(const struct kprof_profile *profile, int *cpu)
{
	struct kprof_cpu *own = NULL;

	while (!own && (unsigned int)(*cpu = cpumask_next(*cpu, cpu_possible_mask)) < nr_cpu_ids)
		own = kprof_cpu_of(profile, *cpu);
	return own;
}

/* Taken for reading by readers of the profile, for writing to replace or empty it. */
extern struct rw_semaphore kprof_profile_sem;	/* inside kprof_mutex */
extern struct kprof_profile *kprof_profile;

struct kprof_profile *kprof_profile_new(const struct kprof_config *config);
int kprof_profile_add_cpu(struct kprof_profile *profile, int cpu);
size_t kprof_profile_wants(const struct kprof_config *config);
void kprof_profile_free(struct kprof_profile *profile);
void kprof_profile_clear(struct kprof_profile *profile);
size_t kprof_profile_used(const struct kprof_profile *profile);

#endif /* KPROF_MEMORY_H */
