// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_choose.c - which keys are worth another round, after what the last ones have explained
 */
#include <math.h>

#include "explain/explain.h"

static bool is_useful(const struct explain_key *key)
{
	return key->kind != EXPLAIN_CONSTANT && key->kind != EXPLAIN_ADDRESSES;
}

static void add_key(struct buf *keys, const struct explain_key *key)
{
	bool by_powers = key->kind == EXPLAIN_LOG2;

	buf_printf(keys, "%s%s%s%s", keys->len ? "," : "", by_powers ? "log2(" : "", key->text,
		   by_powers ? ")" : "");
}

void explain_coarser(const struct explain_group *g, struct buf *keys)
{
	int i;

	for (i = 0; i < g->nr_keys; i++)
		if (is_useful(&g->key[i]))
			add_key(keys, &g->key[i]);
}

/* The best finding of a group that a key is part of. */
static double part_of(const struct explain *e, const struct explain_group *g, int key)
{
	double best = 0;
	size_t i;

	for (i = 0; i < e->nr; i++)
		if (e->finding[i].group == g &&
		    (e->finding[i].key[0] == key || e->finding[i].key[1] == key))
			best = fmax(best, e->finding[i].explains);
	return best;
}

void explain_best(const struct explain *e, const struct explain_group *g, struct buf *keys)
{
	bool taken[EXPLAIN_MAX_KEYS] = { false };
	int i, n, best;

	for (n = 0; n < 3; n++) {
		for (i = 0, best = -1; i < g->nr_keys; i++)
			if (!taken[i] && is_useful(&g->key[i]) &&
			    part_of(e, g, i) > 0.002 &&
			    (best < 0 || part_of(e, g, i) > part_of(e, g, best)))
				best = i;
		if (best < 0)
			break;
		taken[best] = true;
		add_key(keys, &g->key[best]);
	}
}

bool explain_is_full(const struct explain *e)
{
	return e->nr && !e->by_log && e->finding[0].explains >= EXPLAIN_NEARLY_ALL &&
	       e->finding[0].worst.nr;
}
