// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_groups.c - samples apart by the values of the keys: each group has a tree of its own
 */
#include <stdlib.h>
#include <string.h>

#include "data/data_fold.h"
#include "data/frames.h"
#include "lib/mem.h"
#include "report/report_groups.h"

/* The innermost function of a row, or what stands in its place; or its module. */
static const char *leaf_text(const struct data *d, const struct tally_row *row, bool module,
			     struct buf *name)
{
	struct data_stack stacks[DATA_ROW_STACKS];
	const struct frame *frame;
	size_t nr;

	data_row_stacks(d, row, stacks);
	if (!stacks->stack || !stacks->stack->nr)
		return stacks->stack ? "[no stack]" : stacks->special;
	frame = frames_at(d, stacks->stack->ip[0], &nr);
	if (module)
		return frame_module(frame);
	name->len = 0;
	frame_print(frame, name);
	return name->data;
}

/* All values, each with its NUL. */
static void add_texts(struct buf *id, const struct data *d, const struct tally_row *row,
		      const struct report_keys *keys)
{
	struct buf name = { 0 };
	const char *text;
	size_t i;

	id->len = 0;
	for (i = 0; i < keys->nr; i++) {
		text = report_key_is_of_frames(keys->key[i]) ?
		       leaf_text(d, row, keys->key[i] == REPORT_MODULE, &name) :
		       report_key_text(d, row, keys->key[i], &name);
		buf_add(id, text, strlen(text) + 1);
	}
	buf_free(&name);
}

static struct report_group *get(struct report_groups *g, const struct buf *id, size_t nr_keys)
{
	uint32_t number = strtab_add(&g->texts, id->data, id->len);
	struct report_group *group;
	const char *text;
	size_t i;

	if (number < g->nr)
		return &g->group[number];
	g->group = mem_grow(g->group, &g->room, g->nr + 1, sizeof(*g->group));
	group = &g->group[g->nr++];
	*group = (struct report_group){ .total = 0 };
	for (i = 0, text = g->texts.name[number].text; i < nr_keys; i++, text += strlen(text) + 1)
		group->text[i] = text;
	return group;
}

static void add_row(struct report_group *group, const struct tally_row *row, uint64_t value)
{
	struct tally *t = &group->tally;

	t->row = mem_grow(t->row, &group->room, t->nr + 1, sizeof(*t->row));
	t->row[t->nr++] = *row;
	t->samples += row->samples;
	t->ns += row->ns;
	group->total += value;
}

static int largest_first(const void *va, const void *vb, void *arg)
{
	const struct report_group *a = va, *b = vb;
	const struct report_keys *keys = arg;
	int by_text = 0;
	size_t i;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	for (i = 0; i < keys->nr && !by_text; i++)
		by_text = strcmp(a->text[i], b->text[i]);
	return by_text;
}

void report_groups_make(struct report_groups *g, const struct data *d, const struct tally *all,
			const struct report_keys *keys, bool by_weight)
{
	struct buf id = { 0 };
	uint64_t value;
	size_t i;

	*g = (struct report_groups){ .total = 0 };
	for (i = 0; i < all->nr; i++) {
		value = by_weight ? all->row[i].ns : all->row[i].samples;
		if (!value)
			continue;
		add_texts(&id, d, &all->row[i], keys);
		add_row(get(g, &id, keys->nr), &all->row[i], value);
		g->total += value;
	}
	/* A source is named in all groups or in none. */
	for (i = 0; i < g->nr; i++)
		g->group[i].tally.nr_sources = all->nr_sources;
	if (g->nr)
		qsort_r(g->group, g->nr, sizeof(*g->group), largest_first, (void *)keys);
	buf_free(&id);
}

void report_groups_free(struct report_groups *g)
{
	size_t i;

	for (i = 0; i < g->nr; i++)
		tally_free(&g->group[i].tally);
	free(g->group);
	strtab_free(&g->texts);
}
