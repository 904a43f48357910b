/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hash.h - an open-addressing hash table that maps keys to indices of an array
 *
 * The caller owns the array and the keys. It compares the keys. When the table grows,
 * the caller has to insert all keys again:
 *
 *	hash_each(i, &table, hash)
 *		if (is_it(&item[hash_at(&table, i)]))
 *			return hash_at(&table, i);
 *
 * Hashes are seeded at random, so that nobody can craft a file whose keys all collide.
 * For the same reason no output may depend on the order of hashes.
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

/* Fold the 128-bit product, so that each bit of the result depends on all bits of a and b. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)(a ^ hash_secret[0]) * (b ^ hash_secret[1]);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint32_t hash_number(uint64_t a, uint64_t b)
{
	return (uint32_t)(hash_mix(a, b) >> 32);
}

/*
 * The last word of a text that is @len bytes long and ends at @end; its last 1 to 8 bytes begin
 * at @text. Overlapping reads of a constant size replace a memcpy() of a variable size.
 */
static inline uint64_t hash_last(const char *text, const char *end, size_t len)
{
	uint32_t first, last;
	uint64_t word;

	if (len >= sizeof(word)) {
		memcpy(&word, end - sizeof(word), sizeof(word));
		return word;
	}
	if (len >= sizeof(first)) {
		memcpy(&first, text, sizeof(first));
		memcpy(&last, end - sizeof(last), sizeof(last));
		return (uint64_t)first << 32 | last;
	}
	if (!len)
		return 0;
	return (uint64_t)(unsigned char)text[0] << 16 |
	       (uint64_t)(unsigned char)text[len / 2] << 8 | (unsigned char)end[-1];
}

static inline uint32_t hash_text(const char *text, size_t len)
{
	const char *end = text + len;
	uint64_t hash = len, word;

	for (; end - text > (ptrdiff_t)sizeof(word); text += sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = hash_mix(word, hash);
	}
	return (uint32_t)(hash_mix(hash_last(text, end, len), hash) >> 32);
}

/* Walk the slots that may hold an item with this hash, up to the first free slot. */
#define hash_each(i, table, hash) \
	for ((i) = (hash) & (table)->mask; (table)->slot[i] != HASH_FREE; \
	     (i) = ((i) + 1) & (table)->mask)

static inline uint32_t hash_at(const struct hash *t, uint32_t i)
{
	return t->slot[i];
}

static inline void hash_put(struct hash *t, uint32_t hash, uint32_t index)
{
	uint32_t i;

	hash_each(i, t, hash)
		;
	t->slot[i] = index;
}

void hash_enlarge(struct hash *t);

/* If the table is too full for @used items, make it larger and empty, and return true. */
static inline bool hash_grow(struct hash *t, uint32_t used)
{
	if (t->slot && used < t->mask / 2 + 1)
		return false;
	hash_enlarge(t);
	return true;
}

void hash_free(struct hash *t);

#endif /* KPROF_HASH_H */
