// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_table.c - the shares of symbols, tasks, CPUs and so on in a tally
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/data_fold.h"
#include "lib/mem.h"
#include "report/report.h"

const char *const report_sort_names[] = {
	"sym", "comm", "pid", "cpu", "source", "context", NULL
};

void report_query(struct tally_query *query, enum report_sort sort)
{
	query->by_pid = sort == REPORT_PID;
	query->by_cpu = sort == REPORT_CPU;
	query->by_context = sort == REPORT_CONTEXT;
}

static uint32_t hash(const char *name, const char *module)
{
	return hash_number(hash_text(name, strlen(name)), hash_text(module, strlen(module)));
}

static struct report_entry *find(const struct report_table *t, const char *name,
				 const char *module)
{
	uint32_t i;

	if (!t->nr)
		return NULL;
	hash_each(i, &t->table, hash(name, module)) {
		struct report_entry *e = &t->entry[hash_at(&t->table, i)];

		if (!strcmp(e->name, name) && !strcmp(e->module, module))
			return e;
	}
	return NULL;
}

static struct report_entry *get(struct report_table *t, const char *name, const char *module)
{
	struct report_entry *e = find(t, name, module);
	size_t i;

	if (e)
		return e;
	t->entry = mem_grow(t->entry, &t->room, t->nr + 1, sizeof(*t->entry));
	if (hash_grow(&t->table, t->nr + 1))
		for (i = 0; i < t->nr; i++)
			hash_put(&t->table, hash(t->entry[i].name, t->entry[i].module), i);
	hash_put(&t->table, hash(name, module), t->nr);
	e = &t->entry[t->nr++];
	*e = (struct report_entry){
		.name = arena_copy(&t->names, name, strlen(name)),
		.module = arena_copy(&t->names, module, strlen(module)),
	};
	return e;
}

/* What is counted: a row of the tally. */
struct share {
	const struct tally_row *row;
	size_t nr;		/* of the row, from 1 on, so that no entry begins as counted */
	uint64_t value;
};

static void add_counts(uint64_t *to, const struct tally_row *row)
{
	int i;

	for (i = 0; i < TALLY_COUNTS; i++)
		to[i] += row->count[i];
}

static struct report_entry *count(struct report_table *t, const char *name, const char *module,
				  bool leaf, const struct share *share)
{
	struct report_entry *e = get(t, name, module);

	if (leaf) {
		e->self += share->value;
		e->samples += share->row->samples;
		add_counts(e->count, share->row);
	}
	if (e->last_row != share->nr)
		e->children += share->value;
	e->last_row = share->nr;
	return e;
}

/* @innermost: it is the first of its row. */
static void count_stack(struct report_table *t, const struct data *d, const struct share *share,
			const struct data_stack *part, bool innermost)
{
	const struct kprof_stack *stack = part->stack;
	const struct frame *frame;
	struct buf name = { 0 };
	size_t nr, f;
	int i;

	if (!stack) {
		count(t, part->special, "", innermost, share);
		return;
	}
	for (i = 0; i < stack->nr; i++) {
		frame = frames_at(d, stack->ip[i] - !!i, &nr);
		for (f = 0; f < nr; f++) {
			name.len = 0;
			frame_print(&frame[f], false, &name);
			count(t, name.data, frame[f].module ? frame[f].module : "",
			      innermost && !i && !f, share)->is_user = frame[f].is_user;
		}
	}
	buf_free(&name);
}

static void count_symbols(struct report_table *t, const struct data *d,
			  const struct share *share)
{
	struct data_stack stacks[DATA_ROW_STACKS];
	int nr = data_row_stacks(d, share->row, stacks), i;

	for (i = 0; i < nr; i++)
		count_stack(t, d, share, &stacks[i], !i);
}

/* What a row is called in any other order than that of symbols. */
static const char *row_name(const struct data *d, const struct tally_row *row,
			    enum report_sort sort, struct buf *name)
{
	const char *comm = data_task_name(d, KPROF_KEY_TASK(row->key));

	name->len = 0;
	switch (sort) {
	case REPORT_COMM:
		return comm;
	case REPORT_SOURCE:
		return data_source_name(d, KPROF_KEY_SOURCE(row->key));
	case REPORT_CONTEXT:
		return tally_contexts[KPROF_INFO_CTX(row->info)];
	case REPORT_PID:
		buf_printf(name, "%" PRIu32 " %s", row->pid, comm);
		return name->data;
	default:
		buf_printf(name, "CPU %" PRIu32, KPROF_INFO_CPU(row->info));
		return name->data;
	}
}

static int largest_first(const void *va, const void *vb)
{
	const struct report_entry *a = va, *b = vb;
	int order;

	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	if (a->children != b->children)
		return a->children > b->children ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->module, b->module);
}

void report_table_make(struct report_table *t, const struct data *d, const struct tally *tally,
		       enum report_sort sort, bool by_weight)
{
	struct buf name = { 0 };
	size_t i;

	*t = (struct report_table){ 0 };
	for (i = 0; i < tally->nr; i++) {
		const struct tally_row *row = &tally->row[i];
		struct share share = { row, i + 1, by_weight ? row->ns : row->samples };

		if (!share.value)
			continue;
		t->total += share.value;
		t->samples += row->samples;
		add_counts(t->count, row);
		if (sort == REPORT_SYM)
			count_symbols(t, d, &share);
		else
			count(t, row_name(d, row, sort, &name), "", true, &share);
	}
	if (t->nr)
		qsort(t->entry, t->nr, sizeof(*t->entry), largest_first);
	buf_free(&name);
}

double report_shift(const struct report_table *t)
{
	double shift = 0;
	size_t i;

	for (i = 0; t->total && t->samples && i < t->nr; i++)
		shift += fabs((double)t->entry[i].self / t->total -
			      (double)t->entry[i].samples / t->samples);
	return 50 * shift;	/* what one loses another has */
}

void report_table_free(struct report_table *t)
{
	free(t->entry);
	hash_free(&t->table);
	arena_free(&t->names);
}
