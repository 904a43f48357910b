/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profile.h - the memory that samples go to, all of it taken at load
 */
#ifndef KPROF_PROFILE_H
#define KPROF_PROFILE_H

#include <asm/local64.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>

#include "config.h"
#include "counts.h"
#include "intern.h"
#include "latency.h"
#include "ring.h"

/* Task context, softirq, hardirq, NMI: each may interrupt the ones before. */
#define KPROF_NR_LEVELS		4

/* Words of a task's identity: its name, and its process where that matters. */
#define KPROF_TASK_WORDS	3

/**
 * struct kprof_last_task - the task of the last sample: the next one's, most likely
 * @word:	its identity
 * @id:		its id; KPROF_ID_NONE: there was no sample yet
 */
struct kprof_last_task {
	u64 word[KPROF_TASK_WORDS];
	u32 id;
};

/**
 * struct kprof_cpu - what belongs to one CPU
 * @entered:	times the sampling path was entered
 * @left:	times it was left; where the two are equal nobody is on it, and
 *		the accounts of this CPU are in order
 * @busy:	somebody of that level is on it
 * @waiting:	a reader wants to be woken when the ring is half full
 * @frames:	room for a stack, for each level
 * @last:	the last task, for each level
 * @counts:	what was seen
 * @ring:	the samples
 * @rows:	latencies by context, in the order of row ids
 * @wake:	wakes readers of the ring
 */
struct kprof_cpu {
	local64_t entered;
	local64_t left;
	u8 busy[KPROF_NR_LEVELS];
	bool waiting;
	u64 *frames[KPROF_NR_LEVELS];
	struct kprof_last_task last[KPROF_NR_LEVELS];
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
 * @strings:	ids of texts among those values
 * @depth:	frames in a stack
 * @bytes:	memory taken
 * @epoch:	ids are only good for profiles of the same epoch
 * @cpu:	what belongs to each CPU
 */
struct kprof_profile {
	struct kprof_intern stacks;
	struct kprof_intern tasks;
	struct kprof_intern contexts;
	struct kprof_intern strings;
	u32 depth;
	u32 epoch;
	size_t bytes;
	struct kprof_cpu __percpu *cpu;
};

struct kprof_profile *kprof_profile_new(const struct kprof_config *config);
void kprof_profile_free(struct kprof_profile *profile);
void kprof_profile_clear(struct kprof_profile *profile);
size_t kprof_profile_used(const struct kprof_profile *profile);

#endif /* KPROF_PROFILE_H */
