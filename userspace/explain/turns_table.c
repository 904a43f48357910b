// SPDX-License-Identifier: GPL-2.0-only
/*
 * turns_table.c - calls of a function by the turns of one of its loops, and by other keys
 */
#include <stdlib.h>
#include <string.h>

#include "explain/turns.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "lib/strtab.h"

/* Values that are texts are numbered. */
struct texts {
	struct strtab of[TURNS_KEYS];
};

static int64_t take_value(struct turns_table *t, struct texts *texts, int key,
			  const struct explain_piece *piece)
{
	char text[32];
	int64_t number;

	snprintf(text, sizeof(text), "%.*s", (int)piece->value_len, piece->value);
	if (piece->value_len < sizeof(text) && number_key(text, &number))
		return number;
	t->is_text[key] = true;
	return strtab_add(&texts->of[key], piece->value, piece->value_len);
}

static bool is_key(const char *name, const struct explain_piece *piece)
{
	return strlen(name) == piece->key_len && !memcmp(name, piece->key, piece->key_len);
}

static int take_row(struct turns_table *t, struct texts *texts, const struct lat_row *from)
{
	struct explain_piece piece[EXPLAIN_MAX_KEYS];
	struct turns_row *row = &t->row[t->nr];
	int i, nr = explain_take_apart(from->context, piece) - 1;
	const char *turns = nr < 0 ? "" : piece[0].value;

	for (; t->nr_keys < nr && !t->nr; t->nr_keys++)
		t->key[t->nr_keys] = arena_copy(&t->texts, piece[t->nr_keys + 1].key,
						piece[t->nr_keys + 1].key_len);
	if (nr < 0 || nr != t->nr_keys || !number_take(&turns, NUMBER_DECIMAL, &row->turns))
		return -1;
	for (i = 0; i < nr; i++) {
		if (!is_key(t->key[i], &piece[i + 1]))
			return -1;
		row->value[i] = take_value(t, texts, i, &piece[i + 1]);
	}
	row->calls = from->calls;
	t->nr++;
	return 0;
}

/* --- the turns alone --- */

static int by_turns(const void *va, const void *vb)
{
	const struct turns_row *a = va, *b = vb;

	return a->turns < b->turns ? -1 : a->turns > b->turns;
}

static int most_calls_first(const void *va, const void *vb)
{
	const struct turns_row *a = va, *b = vb;

	return a->calls > b->calls ? -1 : a->calls < b->calls ? 1 : by_turns(va, vb);
}

static void sum_up(struct turns_table *t)
{
	uint64_t calls = 0;
	size_t i;

	qsort(t->row, t->nr, sizeof(*t->row), by_turns);
	for (i = 0; i < t->nr; i++) {
		const struct turns_row *row = &t->row[i];

		calls = i && row->turns == row[-1].turns ? calls + row->calls : row->calls;
		if (calls > t->usual) {
			t->usual = calls;
			t->usual_turns = row->turns;
		}
		t->calls += row->calls;
		t->average += (double)row->calls * row->turns;
	}
	t->average = t->calls ? t->average / t->calls : 0;
	t->least = t->nr ? t->row[0].turns : 0;
	t->most = t->nr ? t->row[t->nr - 1].turns : 0;
	qsort(t->row, t->nr, sizeof(*t->row), most_calls_first);
}

int turns_table_make(struct turns_table *t, const struct lat_table *from, const char *target,
		     char error[256])
{
	struct texts texts = { 0 };
	int ret = 0;
	size_t i;

	*t = (struct turns_table){ .row = mem_zalloc(from->nr, sizeof(*t->row)) };
	for (i = 0; i < from->nr && !ret; i++) {
		const struct lat_row *row = &from->row[i];

		if (strcmp(row->target, target) || !row->calls)
			continue;
		if (!strcmp(row->context, "[row table full]"))
			t->without += row->calls;
		else
			ret = take_row(t, &texts, row);
		if (ret)
			snprintf(error, 256, "'%.60s' of %.60s is no list of keys with turns first",
				 row->context, target);
	}
	sum_up(t);
	for (i = 0; i < TURNS_KEYS; i++)
		strtab_free(&texts.of[i]);
	return ret;
}

void turns_table_free(struct turns_table *t)
{
	free(t->row);
	arena_free(&t->texts);
	*t = (struct turns_table){ 0 };
}
