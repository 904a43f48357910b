// SPDX-License-Identifier: GPL-2.0-only
/*
 * intern.c - give equal runs of 64-bit words the same small number
 *
 * An entry is written in private and then published by one compare-and-exchange
 * on its slot. Whoever loses that race to an equal entry uses the winner's and
 * leaves its own unreferenced: nobody ever waits, so an NMI may interrupt an
 * insertion anywhere and insert the same words itself.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "profile/intern.h"
#include "uapi/kprof.h"

static struct kprof_intern_entry *entry_at(const struct kprof_intern *table, u32 index)
{
	return (struct kprof_intern_entry *)(table->entries + (size_t)index * table->stride);
}

/* Never more than half full, so that a probe ends soon. */
static u32 slots_for(u32 capacity)
{
	return roundup_pow_of_two(2 * capacity);
}

static u32 stride_for(u32 max_words)
{
	return sizeof(struct kprof_intern_entry) + max_words * sizeof(u64);
}

/**
 * kprof_intern_size() - memory a table will take
 * @capacity:	runs it can hold
 * @max_words:	words a run can have
 *
 * Context: any. Return: bytes.
 */
size_t kprof_intern_size(u32 capacity, u32 max_words)
{
	return slots_for(capacity) * sizeof(u32) + (size_t)capacity * stride_for(max_words);
}

/**
 * kprof_intern_init() - take the memory of a table
 * @table:	the table
 * @capacity:	runs it can hold
 * @max_words:	words a run can have
 *
 * Context: sleeps. Return: 0 or -ENOMEM, with nothing taken.
 */
int kprof_intern_init(struct kprof_intern *table, u32 capacity, u32 max_words)
{
	u32 slots = slots_for(capacity);

	table->mask = slots - 1;
	table->capacity = capacity;
	table->max_words = max_words;
	table->stride = stride_for(max_words);
	atomic_set(&table->used, 0);
	table->slot = vzalloc(slots * sizeof(*table->slot));
	table->entries = vzalloc((size_t)capacity * table->stride);
	if (!table->slot || !table->entries) {
		kprof_intern_free(table);
		return -ENOMEM;
	}
	return 0;
}

/**
 * kprof_intern_free() - give the memory of a table back
 * @table:	the table; one that is all zeroes is fine
 *
 * Context: sleeps; no writer and no reader may be left.
 */
void kprof_intern_free(struct kprof_intern *table)
{
	vfree(table->slot);
	vfree(table->entries);
	table->slot = NULL;
	table->entries = NULL;
}

/**
 * kprof_intern_clear() - forget every run
 * @table:	the table
 *
 * Context: any; no writer and no reader may be at work.
 */
void kprof_intern_clear(struct kprof_intern *table)
{
	u32 used = kprof_intern_used(table);

	memset(table->slot, 0, (table->mask + 1) * sizeof(*table->slot));
	memset(table->entries, 0, (size_t)used * table->stride);
	atomic_set(&table->used, 0);
}

/* One multiplication a word; the low bits of a product are weak, so fold. */
static u32 hash_words(const u64 *word, u32 nr, u16 flags)
{
	u64 hash = ((u64)flags << 32) | nr;
	u32 i;

	for (i = 0; i < nr; i++)
		hash = rol64((hash ^ word[i]) * 0x9e3779b97f4a7c15ULL, 29);
	return (u32)(hash ^ (hash >> 32));
}

static bool entry_is(const struct kprof_intern_entry *entry, u32 hash,
		     const u64 *word, u32 nr, u16 flags)
{
	u32 i;

	if (entry->hash != hash || entry->nr != nr || entry->flags != flags)
		return false;
	for (i = 0; i < nr; i++)
		if (entry->word[i] != word[i])
			return false;
	return true;
}

/* Index of a new, complete, not yet published entry; capacity: there is none. */
static u32 new_entry(struct kprof_intern *table, u32 hash, const u64 *word,
		     u32 nr, u16 flags)
{
	struct kprof_intern_entry *entry;
	u32 index;

	/* The look first keeps a full table's counter from running away. */
	if (atomic_read(&table->used) >= (int)table->capacity)
		return table->capacity;
	index = atomic_fetch_inc(&table->used);
	if (index >= table->capacity)
		return table->capacity;

	entry = entry_at(table, index);
	entry->hash = hash;
	entry->flags = flags;
	memcpy(entry->word, word, nr * sizeof(*word));
	/* Now it is complete: pairs with kprof_intern_get(). */
	smp_store_release(&entry->nr, (u16)nr);
	return index;
}

/* A run that was in none of the slots up to @at, the first empty one. */
static noinline u32 insert(struct kprof_intern *table, u32 at, u32 hash,
			   const u64 *word, u32 nr, u16 flags)
{
	u32 mine = new_entry(table, hash, word, nr, flags), seen;

	if (mine == table->capacity)
		return KPROF_ID_FULL;
	while (cmpxchg(&table->slot[at], 0, mine + 1)) {
		/* A cmpxchg that fails orders nothing. */
		seen = smp_load_acquire(&table->slot[at]);
		if (entry_is(entry_at(table, seen - 1), hash, word, nr, flags))
			return seen - 1 + KPROF_ID_FIRST;
		at = (at + 1) & table->mask;
	}
	return mine + KPROF_ID_FIRST;
}

/**
 * kprof_intern() - the id of a run of words, the same for equal runs
 * @table:	the table
 * @word:	the words
 * @nr:		how many; at least 1, and no more than the table's max_words
 * @flags:	part of the identity
 *
 * Context: any, NMI included; never waits.
 * Return: an id from KPROF_ID_FIRST on, or KPROF_ID_FULL.
 */
u32 kprof_intern(struct kprof_intern *table, const u64 *word, u32 nr, u16 flags)
{
	u32 hash = hash_words(word, nr, flags);
	u32 at = hash & table->mask, seen;

	/* Its entry is complete: pairs with the cmpxchg() that published it. */
	while ((seen = smp_load_acquire(&table->slot[at]))) {
		if (entry_is(entry_at(table, seen - 1), hash, word, nr, flags))
			return seen - 1 + KPROF_ID_FIRST;
		at = (at + 1) & table->mask;
	}
	return insert(table, at, hash, word, nr, flags);
}

/**
 * kprof_intern_used() - how many entries are handed out
 * @table:	the table
 *
 * Context: any. Return: entries, including those still being written.
 */
u32 kprof_intern_used(const struct kprof_intern *table)
{
	return min_t(u32, atomic_read(&table->used), table->capacity);
}

/**
 * kprof_intern_get() - the run behind an id
 * @table:	the table
 * @id:		an id kprof_intern() returned, or any other number
 *
 * Context: any. Return: the entry, complete; NULL if there is none (yet).
 */
const struct kprof_intern_entry *kprof_intern_get(const struct kprof_intern *table, u32 id)
{
	const struct kprof_intern_entry *entry;

	if (id < KPROF_ID_FIRST || id - KPROF_ID_FIRST >= kprof_intern_used(table))
		return NULL;
	entry = entry_at(table, id - KPROF_ID_FIRST);
	/* pairs with new_entry() */
	return smp_load_acquire(&entry->nr) ? entry : NULL;
}
