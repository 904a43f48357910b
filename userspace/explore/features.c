// SPDX-License-Identifier: GPL-2.0-only
/*
 * features.c - sets of what was reached
 */
#include <stdlib.h>
#include <string.h>

#include "explore/search.h"
#include "lib/mem.h"

void features_add(struct features *set, uint32_t feature)
{
	size_t need = feature / 64 + 1;

	if (set->nr_words < need) {
		set->word = mem_realloc(set->word, need, sizeof(*set->word));
		memset(set->word + set->nr_words, 0,
		       (need - set->nr_words) * sizeof(*set->word));
		set->nr_words = need;
	}
	set->word[feature / 64] |= 1ull << feature % 64;
}

bool features_have(const struct features *set, uint32_t feature)
{
	return feature / 64 < set->nr_words && (set->word[feature / 64] >> feature % 64 & 1);
}

uint32_t features_count(const struct features *set)
{
	return features_beyond(set, &(struct features){ .nr_words = 0 });
}

uint32_t features_beyond(const struct features *set, const struct features *other)
{
	uint32_t nr = 0;
	size_t i;

	for (i = 0; i < set->nr_words; i++)
		nr += __builtin_popcountll(i < other->nr_words ?
					   set->word[i] & ~other->word[i] : set->word[i]);
	return nr;
}

void features_free(struct features *set)
{
	free(set->word);
	*set = (struct features){ .nr_words = 0 };
}
