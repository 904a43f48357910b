/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recent.h - per-CPU cache of the rows of recent calls
 *
 * Few values make up most calls. For these, the table of contexts need not be searched. With one
 * key, the value is in the cache; with several keys, the values are in the context of the row.
 */
#ifndef KPROF_RECENT_H
#define KPROF_RECENT_H

#include <linux/hash.h>
#include <linux/log2.h>

#include "calls/target.h"
#include "profile/profile.h"

/* A value has 48 bits, enough for kernel addresses; the other 16 bits are the row. */
#define KPROF_RECENT_SHIFT	16

static __always_inline u64 *kprof_recent_slot(const struct kprof_target *target, u64 value)
{
	return &this_cpu_ptr(target->cpu)->recent[(value ^ (value >> 4)) % KPROF_RECENT_ROWS];
}

/**
 * kprof_recent_find() - look up the row of a value
 * @target:	a target with one key
 * @value:	value of the key
 *
 * Context: any, NMI included; preemption is disabled. Return: this CPU's row;
 * NULL if it is not cached.
 */
static __always_inline struct kprof_latency *
kprof_recent_find(const struct kprof_target *target, u64 value)
{
	u64 seen = READ_ONCE(*kprof_recent_slot(target, value));
	u16 row = seen;

	if (unlikely(!row || (u64)((s64)seen >> KPROF_RECENT_SHIFT) != value))
		return NULL;
	return &this_cpu_ptr(kprof_profile->cpu)->rows[row - 1];
}

/**
 * kprof_recent_keep() - cache the row of a value
 * @target:	a target with one key
 * @value:	value of the key
 * @row:	index of the row
 *
 * Value and row are in one word, so that an interrupt sees both or neither.
 *
 * Context: as kprof_recent_find().
 */
static inline void kprof_recent_keep(const struct kprof_target *target, u64 value, u32 row)
{
	u64 word = (value << KPROF_RECENT_SHIFT) | (row + 1);

	BUILD_BUG_ON(KPROF_MAX_ROWS >= 1 << KPROF_RECENT_SHIFT);
	if ((u64)((s64)word >> KPROF_RECENT_SHIFT) == value)
		WRITE_ONCE(*kprof_recent_slot(target, value), word);
}

static __always_inline u64 *kprof_recent_slot_of_all(const struct kprof_target *target,
						     const u64 *value, u32 nr)
{
	u64 mix = value[0];
	u32 i;

	for (i = 1; i < nr; i++)
		mix = mix * GOLDEN_RATIO_64 + value[i];
	return &this_cpu_ptr(target->cpu)->recent[hash_64(mix, ilog2(KPROF_RECENT_ROWS))];
}

/**
 * kprof_recent_find_all() - look up the row of several values
 * @target:	a target with several keys
 * @value:	their values
 * @nr:		number of keys
 *
 * Context and return value: as of kprof_recent_find().
 */
static __always_inline struct kprof_latency *
kprof_recent_find_all(const struct kprof_target *target, const u64 *value, u32 nr)
{
	u32 row = READ_ONCE(*kprof_recent_slot_of_all(target, value, nr)), i;
	const u64 *seen;

	if (unlikely(!row))
		return NULL;
	/* The first word is the target, to which all rows in this cache belong. */
	seen = kprof_intern_words(&kprof_profile->contexts, KPROF_ID_FIRST + row - 1) + 1;
	for (i = 0; i < nr; i++)
		if (seen[i] != value[i])
			return NULL;
	return &this_cpu_ptr(kprof_profile->cpu)->rows[row - 1];
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

	if (nr == 1)
		return kprof_recent_find(target, value[0]);
	if (nr == 2)	/* the most common: without loops, it saves 17 instructions */
		return kprof_recent_find_all(target, value, 2);
	return kprof_recent_find_all(target, value, nr);
}

/**
 * kprof_recent_keep_all() - cache the row of several values
 * @target:	a target with several keys
 * @value:	their values
 * @nr:		number of keys
 * @row:	index of the row
 *
 * Context: as kprof_recent_find().
 */
static inline void kprof_recent_keep_all(const struct kprof_target *target, const u64 *value,
					 u32 nr, u32 row)
{
	WRITE_ONCE(*kprof_recent_slot_of_all(target, value, nr), row + 1);
}

#endif /* KPROF_RECENT_H */
