// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_keys.c - group the values of keys
 *
 * If a key has few values, each of them is a group. Many numbers are grouped by
 * powers of two. Of many texts, the frequent ones are groups. Many different
 * addresses, such as of an object that is allocated for each call, cannot
 * explain anything.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "lib/strtab.h"

#define EXACT_MAX	32	/* up to this many values, each is a group */
#define ADDRESS_MIN	(1ULL << 40)

/* --- values, before grouping --- */

struct seen {
	const char *text;	/* in the texts of the list */
	uint64_t calls;
	bool is_number;
	int64_t number;
	uint32_t order;		/* order of first appearance */
};

struct seen_list {
	struct strtab texts;	/* the numbers of texts are indices of seen */
	struct seen *seen;
	size_t nr, room;
};

static uint32_t see(struct seen_list *list, const struct explain_piece *piece, uint64_t calls)
{
	uint32_t i = strtab_add(&list->texts, piece->value, piece->value_len);

	if (i == list->nr) {
		struct seen s = { .text = list->texts.name[i].text, .order = i };

		s.is_number = number_key(s.text, &s.number);
		list->seen = mem_grow(list->seen, &list->room, list->nr + 1, sizeof(s));
		list->seen[list->nr++] = s;
	}
	list->seen[i].calls += calls;
	return i;
}

/* --- grouping of values --- */

static bool all_numbers(const struct seen_list *list)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (!list->seen[i].is_number)
			return false;
	return true;
}

/* Are these addresses? Most values are then far from zero, positive or negative. */
static bool are_addresses(const struct seen_list *list)
{
	size_t i, far = 0;

	for (i = 0; i < list->nr; i++)
		far += list->seen[i].number >= (int64_t)ADDRESS_MIN ||
		       list->seen[i].number <= -(int64_t)ADDRESS_MIN;
	return 2 * far > list->nr;
}

static uint32_t add_name(struct explain_key *key, struct arena *texts, const char *name)
{
	uint32_t i;

	for (i = 0; i < key->nr_names; i++)
		if (!strcmp(key->name[i], name))
			return i;
	key->name = mem_realloc(key->name, key->nr_names + 1, sizeof(*key->name));
	key->name[key->nr_names] = arena_copy(texts, name, strlen(name));
	return key->nr_names++;
}

/* "[4,8)"; negative numbers, such as errors, are few: those down to -4096 are not grouped. */
static void bucket_name(char name[64], int64_t number)
{
	int bits = number > 0 ? 64 - __builtin_clzll(number) : 0;

	if (number < 0)
		snprintf(name, 64, "%" PRId64, number > -4096 ? number : (int64_t)-4096);
	else if (!number)
		snprintf(name, 64, "0");
	else if (bits == 63)
		snprintf(name, 64, "[%" PRIu64 ",)", (uint64_t)1 << 62);
	else
		snprintf(name, 64, "[%" PRIu64 ",%" PRIu64 ")", (uint64_t)1 << (bits - 1),
			 (uint64_t)1 << bits);
}

static int most_calls_first(const void *va, const void *vb)
{
	const struct seen *a = *(const struct seen *const *)va;
	const struct seen *b = *(const struct seen *const *)vb;

	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Assign a group to each value: its index in the names of the key. */
static void choose_names(struct explain_key *key, const struct seen_list *list,
			 struct arena *texts, uint32_t *as)
{
	const struct seen **by_calls = mem_zalloc(list->nr, sizeof(*by_calls));
	char name[64];
	size_t i;

	key->distinct = list->nr;
	key->addresses = all_numbers(list) && are_addresses(list);
	key->kind = list->nr < 2 ? EXPLAIN_CONSTANT : list->nr <= EXACT_MAX ? EXPLAIN_EXACT :
		    !all_numbers(list) ? EXPLAIN_FREQUENT :
		    key->addresses ? EXPLAIN_ADDRESSES : EXPLAIN_LOG2;
	for (i = 0; i < list->nr; i++)
		by_calls[i] = &list->seen[i];
	qsort(by_calls, list->nr, sizeof(*by_calls), most_calls_first);
	for (i = 0; i < list->nr; i++) {
		const struct seen *s = by_calls[i];

		if (key->kind == EXPLAIN_LOG2)
			bucket_name(name, s->number);
		else
			snprintf(name, sizeof(name), "0x%" PRIx64, (uint64_t)s->number);
		as[s->order] = add_name(key, texts, key->kind == EXPLAIN_LOG2 ||
					(key->addresses && key->kind == EXPLAIN_EXACT) ? name :
					key->kind == EXPLAIN_ADDRESSES ? "any" :
					i >= EXACT_MAX ? "others" : s->text);
	}
	free(by_calls);
}

/* --- the rows of a target --- */

static bool same_keys(const struct explain_group *g, const struct explain_piece *piece, int nr)
{
	int i;

	for (i = 0; i < nr && nr == g->nr_keys; i++)
		if (strlen(g->key[i].text) != piece[i].key_len ||
		    memcmp(g->key[i].text, piece[i].key, piece[i].key_len))
			return false;
	return nr == g->nr_keys;
}

static void begin_keys(struct explain_group *g, const struct explain_piece *piece, int nr)
{
	for (; g->nr_keys < nr; g->nr_keys++)
		g->key[g->nr_keys].text = arena_copy(&g->texts, piece[g->nr_keys].key,
						     piece[g->nr_keys].key_len);
}

static int take_row(struct explain_group *g, struct seen_list *list, const struct lat_row *row)
{
	struct explain_piece piece[EXPLAIN_MAX_KEYS];
	struct explain_row *to = &g->row[g->nr_rows];
	int i, nr = explain_take_apart(row->context, piece);

	if (nr > 0 && !g->nr_keys)
		begin_keys(g, piece, nr);
	if (nr < 0 || !same_keys(g, piece, nr))
		return -1;
	to->row = row;
	for (i = 0; i < nr; i++)
		to->value[i] = see(&list[i], &piece[i], row->calls);
	g->nr_rows++;
	return 0;
}

static void finish_key(struct explain_group *g, int i, const struct seen_list *list)
{
	uint32_t *as = mem_zalloc(list->nr, sizeof(*as));
	size_t r;

	choose_names(&g->key[i], list, &g->texts, as);
	for (r = 0; r < g->nr_rows; r++)
		g->row[r].value[i] = as[g->row[r].value[i]];
	free(as);
}

int explain_group_make(struct explain_group *g, const struct lat_table *t, const char *target,
		       char error[256])
{
	struct seen_list list[EXPLAIN_MAX_KEYS] = { { .nr = 0 } };
	int k, ret = 0;
	size_t i;

	*g = (struct explain_group){ 0 };
	g->row = mem_zalloc(t->nr, sizeof(*g->row));
	for (i = 0; i < t->nr && !ret; i++) {
		const struct lat_row *row = &t->row[i];

		if (strcmp(row->target, target) || !row->calls)
			continue;
		g->calls += row->calls;
		if (!strcmp(row->context, "[row table full]"))
			g->without += row->calls;
		else if (take_row(g, list, row))
			ret = -1;
		if (ret)
			snprintf(error, 256, "'%.60s' of %.60s is no list of keys and values",
				 row->context, target);
	}
	for (k = 0; k < g->nr_keys; k++) {
		if (!ret)
			finish_key(g, k, &list[k]);
	}
	for (k = 0; k < EXPLAIN_MAX_KEYS; k++) {
		strtab_free(&list[k].texts);
		free(list[k].seen);
	}
	return ret;
}

void explain_group_free(struct explain_group *g)
{
	int i;

	for (i = 0; i < g->nr_keys; i++)
		free(g->key[i].name);
	free(g->row);
	arena_free(&g->texts);
	*g = (struct explain_group){ 0 };
}
