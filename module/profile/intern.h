/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intern.h - give equal sequences of 64-bit words the same small id
 *
 * This table is behind stack ids and task ids. It is append-only, bounded, allocated
 * in full at load, and written without a lock from any context, NMI included. The unit
 * tests compile it for the host, too.
 */
#ifndef KPROF_INTERN_H
#define KPROF_INTERN_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "uapi/kprof.h"

/**
 * struct kprof_intern_entry - one interned sequence of words
 * @hash:	of @word, @nr and @flags
 * @nr:		number of words; set last, and 0 while the entry is being written
 * @flags:	part of the identity; KPROF_STACK_* where the table holds stacks
 * @word:	the words
 */
struct kprof_intern_entry {
	u32	hash;
	u16	nr;
	u16	flags;
	u64	word[];
};

/**
 * struct kprof_intern - a table of interned sequences
 * @slot:	open addressing: index of an entry plus one, or 0
 * @mask:	number of slots minus one
 * @seed:	what hashes begin with, so that nobody outside knows which words hash alike
 * @stride:	size of an entry in bytes
 * @capacity:	number of entries
 * @entries:	the entries
 * @used:	number of entries in use; on a cache line of its own, because every CPU
 *		writes it, but only when a stack is new
 */
struct kprof_intern {
	u32	*slot;
	u64	seed;
	u32	mask;
	u32	stride;
	u32	capacity;
	char	*entries;
	atomic_t used ____cacheline_aligned_in_smp;
};

int kprof_intern_init(struct kprof_intern *table, u32 capacity, u32 max_words);
void kprof_intern_free(struct kprof_intern *table);
void kprof_intern_clear(struct kprof_intern *table);
u32 kprof_intern(struct kprof_intern *table, const u64 *word, u32 nr, u16 flags);
u32 kprof_intern_used(const struct kprof_intern *table);
const struct kprof_intern_entry *kprof_intern_get(const struct kprof_intern *table, u32 id);
size_t kprof_intern_size(u32 capacity, u32 max_words);

/**
 * kprof_intern_words() - the words of a sequence that is known to be in a table
 * @table:	the table; it was not cleared meanwhile
 * @id:		what kprof_intern() has returned on this CPU, but not KPROF_ID_FULL
 *
 * Context: any, NMI included. Return: the words, as many as were interned.
 */
static __always_inline const u64 *kprof_intern_words(const struct kprof_intern *table, u32 id)
{
	const char *entry = table->entries + (size_t)(id - KPROF_ID_FIRST) * table->stride;

	return ((const struct kprof_intern_entry *)entry)->word;
}

#endif /* KPROF_INTERN_H */
