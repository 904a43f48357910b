/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recent.h - per-CPU cache of the rows of recent calls
 *
 * Few values make up most calls. For these, the table of contexts need not be searched: a row
 * knows the values of its keys.
 */
#ifndef KPROF_RECENT_H
#define KPROF_RECENT_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/percpu.h>

#include "calls/target.h"
#include "profile/profile.h"

static __always_inline struct kprof_latency **
kprof_recent_slot(const struct kprof_target *target, const u64 *value, u32 nr)
{
	u64 mix = value[0];
	u32 i;

	for (i = 1; i < nr; i++)
		mix = mix * 5 + value[i];	/* an address that is added and shifted */
	return &this_cpu_ptr(target->cpu)->recent[hash_64(mix, KPROF_RECENT_ROWS_LOG2)];
}

/**
 * kprof_recent_find() - look up the row of some values
 * @target:	a target with keys
 * @value:	their values
 * @nr:		number of keys
 *
 * Context: any, NMI included; preemption is disabled. Return: this CPU's row;
 * NULL if it is not cached.
 */
static __always_inline struct kprof_latency *
kprof_recent_find(const struct kprof_target *target, const u64 *value, u32 nr)
{
	struct kprof_latency *row = READ_ONCE(*kprof_recent_slot(target, value, nr));
	u32 i;

	if (unlikely(!row))
		return NULL;
	for (i = 0; i < nr; i++)
		if (row->value[i] != value[i])
			return NULL;
	return row;
}

/**
 * kprof_recent_row() - look up the row of a call
 * @target:	a target with keys
 * @value:	their values
 *
 * Context and return value: as of kprof_recent_find().
 */
static __always_inline struct kprof_latency *
kprof_recent_row(const struct kprof_target *target, const u64 *value)
{
	const u32 nr = target->keys.nr_keys;

	/* The most common numbers: without loops, it saves 17 instructions. */
	if (nr == 2)
		return kprof_recent_find(target, value, 2);
	if (nr == 1)
		return kprof_recent_find(target, value, 1);
	return kprof_recent_find(target, value, nr);
}

/**
 * kprof_recent_keep() - cache a row
 * @target:	the target with keys to which it belongs
 * @row:	this CPU's row
 * @value:	the values of the keys; they stay where they are as long as the row does
 *
 * An interrupt that sees the row sees its values, too: a row never has others.
 *
 * Context: as kprof_recent_find().
 */
static inline void kprof_recent_keep(const struct kprof_target *target, struct kprof_latency *row,
				     const u64 *value)
{
	WRITE_ONCE(row->value, value);
	barrier();
	WRITE_ONCE(*kprof_recent_slot(target, value, target->keys.nr_keys), row);
}

#endif /* KPROF_RECENT_H */
