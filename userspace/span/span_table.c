// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_table.c - merge rows of the module that have the same texts, and sort them
 */
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/number.h"
#include "span/span.h"

/* Split @id into the texts of a row. */
static void name_row(struct span_row *row, const char *id, size_t len)
{
	const char *at = id;
	int i;

	for (i = 0; i < SPAN_TEXTS; i++, at += strlen(at) + 1)
		row->text[i] = at;
	row->stack = at < id + len ? at : NULL;
	row->id = id;
	row->sum.target = "";
	row->sum.context = "";
}

static struct span_row *find_or_add(struct span_table *t, const struct buf *id)
{
	uint32_t nr = t->ids.nr, i = strtab_add(&t->ids, id->data, id->len);

	if (i < nr)
		return &t->row[i];
	t->row = mem_grow(t->row, &t->room, i + 1ul, sizeof(*t->row));
	t->row[i] = (struct span_row){ 0 };
	name_row(&t->row[i], t->ids.name[i].text, id->len);
	return &t->row[i];
}

/* Append all texts of a row, by which it is found. Returns true if these calls have failed. */
static bool make_id(const struct span_table *t, const struct span_verb *verb,
		    const struct lat_row *row, struct buf *id)
{
	struct buf text[SPAN_TEXTS] = { 0 }, stack = { 0 };
	bool failed = false;
	int i;

	/* A row without keys, such as [row table full]. */
	if (strchr(row->context, '='))
		failed = verb->texts(row, text, &stack);
	else
		buf_printf(&text[0], "%s", row->context);
	for (i = 0; i < SPAN_TEXTS; i++) {
		buf_add(id, text[i].data, text[i].len);
		buf_add(id, "", 1);
		buf_free(&text[i]);
	}
	if (t->names) {
		span_user_stack(row, span_user_key(verb), t->names, id);
		if (stack.len && id->data[id->len - 1])
			buf_add(id, ";", 1);
	}
	buf_add(id, stack.data, stack.len);
	buf_free(&stack);
	return failed;
}

void span_table_add(struct span_table *t, const struct span_verb *verb, const struct lat_row *row)
{
	struct buf id = { 0 };
	bool failed = make_id(t, verb, row, &id);
	struct span_row *to = find_or_add(t, &id);

	lat_add_row(&to->sum, row);
	lat_add_row(&t->all.sum, row);
	to->errors += failed ? row->calls : 0;
	t->all.errors += failed ? row->calls : 0;
	buf_free(&id);
}

bool span_is_beside(const struct span_verb *verb, const struct lat_row *row)
{
	return verb->beside && !strcmp(row->target, verb->beside);
}

void span_table_add_beside(struct span_table *t, const struct span_verb *verb,
			   const struct lat_row *row)
{
	struct buf id = { 0 };
	uint32_t i;

	make_id(t, verb, row, &id);
	i = strtab_find(&t->ids, id.data, id.len);
	if (i != STRTAB_NONE) {
		t->row[i].beside += row->total;
		t->all.beside += row->total;
	} else {
		t->elsewhere += row->total;
	}
	buf_free(&id);
}

bool span_table_add_open(struct span_table *t, const struct span_verb *verb, char *text)
{
	enum { TARGET, CONTEXT, OPEN, BYTES, OLDEST, NR };
	char *line, *word[NR];
	int i;

	strsep(&text, "\n");	/* the headings */
	while ((line = strsep(&text, "\n")) && *line) {
		struct lat_row row = { 0 };

		for (i = 0; i < NR; i++)
			word[i] = strsep(&line, "\t");
		if (!word[OLDEST] || !number_parse(word[OPEN], NUMBER_DECIMAL, &row.calls) ||
		    !number_parse(word[BYTES], NUMBER_DECIMAL, &row.total) ||
		    !number_parse(word[OLDEST], NUMBER_DECIMAL, &row.max))
			return false;
		row.target = word[TARGET];
		row.context = word[CONTEXT];
		if (row.calls)
			span_table_add(t, verb, &row);
	}
	return true;
}

const char *const span_sort_names[] = { "time", "count", "avg", "max", "name", NULL };
const enum span_sort span_sorts[] = {
	SPAN_BY_TIME, SPAN_BY_COUNT, SPAN_BY_AVG, SPAN_BY_MAX, SPAN_BY_NAME
};

static double sort_value(const struct span_row *row, enum span_sort sort)
{
	switch (sort) {
	case SPAN_BY_COUNT:
		return row->sum.calls;
	case SPAN_BY_ERRORS:
		return row->errors;
	case SPAN_BY_AVG:
		return lat_avg(&row->sum);
	case SPAN_BY_MAX:
		return row->sum.max;
	case SPAN_BY_NAME:
		return 0;
	case SPAN_BY_TIME:
		break;
	}
	return row->sum.total;
}

static int by_texts(const struct span_row *a, const struct span_row *b)
{
	int i, order = 0;

	for (i = 0; i < SPAN_TEXTS && !order; i++)
		order = strcmp(a->text[i], b->text[i]);
	return order ? order : strcmp(a->stack ? a->stack : "", b->stack ? b->stack : "");
}

/* Equal rows are sorted by their texts, so that the result does not depend on qsort(). */
static int compare(const void *va, const void *vb, void *arg)
{
	const struct span_row *a = va, *b = vb;
	double x = sort_value(a, *(enum span_sort *)arg), y = sort_value(b, *(enum span_sort *)arg);

	if (x != y)
		return x > y ? -1 : 1;
	return by_texts(a, b);
}

/* Nothing can be added after this, because the order of ids and rows differs. */
void span_table_sort(struct span_table *t, enum span_sort sort)
{
	if (t->ids.nr)
		qsort_r(t->row, t->ids.nr, sizeof(*t->row), compare, &sort);
}

void span_table_free(struct span_table *t)
{
	uint32_t i;

	for (i = 0; i < t->ids.nr; i++)
		free(t->row[i].sum.bucket);
	free(t->row);
	free(t->all.sum.bucket);
	strtab_free(&t->ids);
	*t = (struct span_table){ 0 };
}
