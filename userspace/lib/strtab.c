// SPDX-License-Identifier: GPL-2.0-only
/*
 * strtab.c - a string table: each string is stored once and has a number
 */
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/strtab.h"

static inline uint32_t find(const struct strtab *n, const char *text, size_t len, uint32_t hash)
{
	uint32_t i;

	if (!n->nr)
		return STRTAB_NONE;
	hash_each(i, &n->table, hash) {
		const struct strtab_entry *name = &n->name[hash_at(&n->table, i)];

		if (name->hash == hash && name->len == len && !memcmp(name->text, text, len))
			return hash_at(&n->table, i);
	}
	return STRTAB_NONE;
}

uint32_t strtab_find(const struct strtab *n, const char *text, size_t len)
{
	return find(n, text, len, hash_text(text, len));
}

uint32_t strtab_add(struct strtab *n, const char *text, size_t len)
{
	uint32_t hash = hash_text(text, len), i, index = find(n, text, len, hash);

	if (index != STRTAB_NONE)
		return index;
	n->name = mem_grow(n->name, &n->room, n->nr + 1ul, sizeof(*n->name));
	n->name[n->nr] = (struct strtab_entry){
		arena_copy(&n->texts, text, len), (uint32_t)len, hash
	};
	if (hash_grow(&n->table, n->nr + 1))
		for (i = 0; i < n->nr; i++)
			hash_put(&n->table, n->name[i].hash, i);
	hash_put(&n->table, hash, n->nr);
	return n->nr++;
}

void strtab_free(struct strtab *n)
{
	free(n->name);
	hash_free(&n->table);
	arena_free(&n->texts);
	*n = (struct strtab){ 0 };
}
