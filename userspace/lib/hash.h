/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hash.h - the hash table of this program: maps keys to indices of an array
 *
 * The caller owns the array and the keys. It compares keys, and inserts all of them
 * again after the table has grown:
 *
 *	hash_each(i, &table, hash)
 *		if (is_it(&item[hash_at(&table, i)]))
 *			return hash_at(&table, i);
 *
 * Hashes are seeded at random, so that no file can be crafted whose keys all collide.
 * No output may depend on them.
 */
#ifndef KPROF_HASH_H
#define KPROF_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_FREE	UINT32_MAX

/* Zero-initialise; hash_grow() allocates the slots. */
struct hash {
	uint32_t *slot;
	uint32_t mask;
};

extern uint64_t hash_secret[2];

/* Fold the 128-bit product, so that each bit depends on all bits of both factors. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)(a ^ hash_secret[0]) * (b ^ hash_secret[1]);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint32_t hash_number(uint64_t a, uint64_t b)
{
	return (uint32_t)(hash_mix(a, b) >> 32);
}

static inline uint32_t hash_text(const char *text, size_t len)
{
	uint64_t hash = len, word;

	for (; len >= sizeof(word); len -= sizeof(word), text += sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = hash_mix(word, hash);
	}
	word = 0;
	if (len)
		memcpy(&word, text, len);
	return (uint32_t)(hash_mix(word, hash) >> 32);
}

/* Walk the slots that may hold an item with this hash, up to a free one. */
#define hash_each(i, table, hash) \
	for ((i) = (hash) & (table)->mask; (table)->slot[i] != HASH_FREE; \
	     (i) = ((i) + 1) & (table)->mask)

static inline uint32_t hash_at(const struct hash *t, uint32_t i)
{
	return t->slot[i];
}

void hash_put(struct hash *t, uint32_t hash, uint32_t index);

/* If the table is too full for @used items, make it larger and empty, and return true. */
bool hash_grow(struct hash *t, uint32_t used);
void hash_free(struct hash *t);

#endif /* KPROF_HASH_H */
