// SPDX-License-Identifier: GPL-2.0-only
/*
 * intern.c - give equal sequences of 64-bit words the same small id
 *
 * An entry is written in private, then published by one compare-and-exchange on
 * its slot. A writer that loses this race to an equal entry uses the winner's and
 * leaves its own unreferenced. Nobody ever waits, so an NMI may interrupt an
 * insertion anywhere and insert the same words itself.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "profile/intern.h"
#include "uapi/kprof.h"

/*
 * Searches of a table that is half full are far shorter. This bounds them for who has found words
 * that hash alike: names of tasks are anybody's, and searches are made with interrupts off.
 */
#define MAX_PROBES	256

static struct kprof_intern_entry *entry_at(const struct kprof_intern *table, u32 index)
{
	return (struct kprof_intern_entry *)(table->entries + (size_t)index * table->stride);
}

/* At most half full, so that searches are short. */
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
 * @capacity:	number of sequences it can hold
 * @max_words:	number of words a sequence can have
 *
 * Context: any. Return: bytes.
 */
size_t kprof_intern_size(u32 capacity, u32 max_words)
{
	return slots_for(capacity) * sizeof(u32) + (size_t)capacity * stride_for(max_words);
}

/**
 * kprof_intern_init() - allocate a table
 * @table:	the table
 * @capacity:	number of sequences it can hold
 * @max_words:	number of words a sequence can have
 *
 * Context: sleeps. Return: 0; or -ENOMEM, with nothing allocated.
 */
int kprof_intern_init(struct kprof_intern *table, u32 capacity, u32 max_words)
{
	u32 slots = slots_for(capacity);

	table->mask = slots - 1;
	table->capacity = capacity;
	table->stride = stride_for(max_words);
	table->seed = get_random_u64();
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
 * kprof_intern_free() - free a table
 * @table:	the table; may be all zeroes
 *
 * Context: sleeps; there are no more writers or readers.
 */
void kprof_intern_free(struct kprof_intern *table)
{
	vfree(table->slot);
	vfree(table->entries);
	table->slot = NULL;
	table->entries = NULL;
}

/**
 * kprof_intern_clear() - remove all sequences
 * @table:	the table
 *
 * Context: any; no writer or reader is active.
 */
void kprof_intern_clear(struct kprof_intern *table)
{
	u32 used = kprof_intern_used(table);

	memset(table->slot, 0, (table->mask + 1) * sizeof(*table->slot));
	memset(table->entries, 0, (size_t)used * table->stride);
	table->seed = get_random_u64();
	atomic_set(&table->used, 0);
}

/*
 * One multiplication per word. The high bits of the last word have come no further than the high
 * bits of its product: another one, folded, takes them to all bits, in a way that only who knows
 * the seed foresees.
 */
static u32 hash_words(u64 seed, const u64 *word, u32 nr, u16 flags)
{
	u64 hash = seed ^ ((u64)flags << 32 | nr);
	u32 i;

#pragma GCC unroll 4
	for (i = 0; i < nr; i++)
		hash = rol64((hash ^ word[i]) * 0x9e3779b97f4a7c15ULL, 29);
	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93ULL;
	return (u32)(hash ^ hash >> 32);
}

static bool entry_is(const struct kprof_intern_entry *entry, u32 hash,
		     const u64 *word, u32 nr, u16 flags)
{
	u32 i;

	if (entry->hash != hash || entry->nr != nr || entry->flags != flags)
		return false;
#pragma GCC unroll 4
	for (i = 0; i < nr; i++)
		if (entry->word[i] != word[i])
			return false;
	return true;
}

/* Index of a new entry, complete but not yet published; capacity if the table is full. */
static u32 new_entry(struct kprof_intern *table, u32 hash, const u64 *word,
		     u32 nr, u16 flags)
{
	struct kprof_intern_entry *entry;
	u32 index;

	/* Check first, or the counter of a full table would grow without bound. */
	if (atomic_read(&table->used) >= (int)table->capacity)
		return table->capacity;
	index = atomic_fetch_inc(&table->used);
	if (index >= table->capacity)
		return table->capacity;

	entry = entry_at(table, index);
	entry->hash = hash;
	entry->flags = flags;
	memcpy(entry->word, word, nr * sizeof(*word));
	/* The entry is complete: pairs with kprof_intern_get(). */
	smp_store_release(&entry->nr, (u16)nr);
	return index;
}

/* Insert a sequence that no slot before @at has; @at is the first empty slot. */
static noinline u32 insert(struct kprof_intern *table, u32 at, u32 hash,
			   const u64 *word, u32 nr, u16 flags)
{
	u32 mine = new_entry(table, hash, word, nr, flags), seen;

	if (mine == table->capacity)
		return KPROF_ID_FULL;
	while (cmpxchg(&table->slot[at], 0, mine + 1)) {
		/* A failed cmpxchg() implies no ordering. */
		seen = smp_load_acquire(&table->slot[at]);
		if (entry_is(entry_at(table, seen - 1), hash, word, nr, flags))
			return seen - 1 + KPROF_ID_FIRST;
		at = (at + 1) & table->mask;
	}
	return mine + KPROF_ID_FIRST;
}

/**
 * kprof_intern() - get the id of a sequence of words, the same for equal sequences
 * @table:	the table
 * @word:	the words
 * @nr:		how many; at least 1, and no more than kprof_intern_init() was told
 * @flags:	part of the identity
 *
 * Context: any, NMI included; never waits.
 * Return: an id, KPROF_ID_FIRST or above; or KPROF_ID_FULL, also where too many others hash alike.
 */
u32 kprof_intern(struct kprof_intern *table, const u64 *word, u32 nr, u16 flags)
{
	u32 hash = hash_words(table->seed, word, nr, flags);
	u32 at = hash & table->mask, seen, probes;

	for (probes = 0; probes < MAX_PROBES; probes++) {
		/* The slot's entry is complete: pairs with the cmpxchg() that published it. */
		seen = smp_load_acquire(&table->slot[at]);
		if (!seen)
			return insert(table, at, hash, word, nr, flags);
		if (entry_is(entry_at(table, seen - 1), hash, word, nr, flags))
			return seen - 1 + KPROF_ID_FIRST;
		at = (at + 1) & table->mask;
	}
	return KPROF_ID_FULL;
}

/**
 * kprof_intern_used() - number of entries in use
 * @table:	the table
 *
 * Context: any. Return: entries, including those still being written.
 */
u32 kprof_intern_used(const struct kprof_intern *table)
{
	return min_t(u32, atomic_read(&table->used), table->capacity);
}

/**
 * kprof_intern_get() - look up a sequence by id
 * @table:	the table
 * @id:		an id that kprof_intern() returned, or any other number
 *
 * Context: any. Return: the complete entry; NULL if there is none (yet).
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
