/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recent.h - per-CPU cache of the rows of recent calls, for a target with one key
 *
 * Few values make up most calls. For these, the table of contexts need not be searched.
 */
#ifndef KPROF_RECENT_H
#define KPROF_RECENT_H

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

#endif /* KPROF_RECENT_H */
