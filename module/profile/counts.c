// SPDX-License-Identifier: GPL-2.0-only
/*
 * counts.c - per-CPU table of how often, and for how long, each key was seen
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "profile/counts.h"

/* A table three quarters full needs far fewer; this bounds the search of a full one. */
#define MAX_PROBES	64

/* The only row of a table without memory; it matches no key. */
static struct kprof_count no_row = { .key = U64_MAX };

/**
 * kprof_counts_init_none() - set up a table without memory
 * @counts:	the table; it has room for no key, and must not be cleared
 *
 * Context: any.
 */
void kprof_counts_init_none(struct kprof_counts *counts)
{
	counts->row = &no_row;
	counts->mask = 0;
}

static u32 slots_for(u32 rows)
{
	return roundup_pow_of_two(2 * rows);
}

/**
 * kprof_counts_size() - memory a table will take
 * @rows:	number of keys it should hold with ease
 *
 * Context: any. Return: bytes.
 */
size_t kprof_counts_size(u32 rows)
{
	return (size_t)slots_for(rows) * sizeof(struct kprof_count);
}

/**
 * kprof_counts_init() - allocate a table
 * @counts:	the table
 * @rows:	number of keys it should hold with ease
 * @node:	NUMA node of its CPU
 *
 * Context: sleeps. Return: 0 or -ENOMEM.
 */
int kprof_counts_init(struct kprof_counts *counts, u32 rows, int node)
{
	counts->mask = slots_for(rows) - 1;
	counts->row = vzalloc_node(kprof_counts_size(rows), node);
	return counts->row ? 0 : -ENOMEM;
}

/**
 * kprof_counts_free() - free a table
 * @counts:	the table; may be all zeroes
 *
 * Context: sleeps; there are no more writers or readers.
 */
void kprof_counts_free(struct kprof_counts *counts)
{
	if (counts->row != &no_row)
		vfree(counts->row);
	counts->row = NULL;
}

/**
 * kprof_counts_clear() - remove all keys
 * @counts:	the table
 *
 * Context: any; no writer or reader is active.
 */
void kprof_counts_clear(struct kprof_counts *counts)
{
	memset(counts->row, 0, ((size_t)counts->mask + 1) * sizeof(*counts->row));
}

/**
 * kprof_counts_add() - add to the row of a key
 * @counts:	the table of the CPU this runs on
 * @key:	the key, not 0
 * @n:		samples to add
 * @weight:	weight to add
 *
 * Context: any, NMI included, without migration.
 * Return: false if the table has no room for the key; then nothing was added.
 */
bool kprof_counts_add(struct kprof_counts *counts, u64 key, u64 n, u64 weight)
{
	u32 at = (u32)((key * 0x9e3779b97f4a7c15ULL) >> 32);
	int probes;

	for (probes = 0; probes < MAX_PROBES; probes++, at++) {
		struct kprof_count *row = &counts->row[at & counts->mask];
		u64 seen = READ_ONCE(row->key);

		if (!seen)
			seen = cmpxchg_local(&row->key, 0, key) ?: key;
		if (seen == key) {
			local64_add(n, &row->n);
			local64_add(weight, &row->weight);
			return true;
		}
	}
	return false;
}

/**
 * kprof_counts_used() - count the rows that have a key
 * @counts:	the table
 *
 * Context: any. Return: number of rows.
 */
u32 kprof_counts_used(const struct kprof_counts *counts)
{
	u32 used = 0, i;

	for (i = 0; i <= counts->mask; i++)
		used += !!READ_ONCE(counts->row[i].key);
	return used;
}
