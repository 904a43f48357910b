// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_table.c - compute the shares of symbols, tasks, CPUs and so on from a tally
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/data_fold.h"
#include "lib/mem.h"
#include "report/report.h"

/* A row of the tally that is being counted, and the texts of its keys. */
struct share {
	const struct tally_row *row;
	size_t nr;		/* number of the row; from 1 on, as last_row of new entries is 0 */
	uint64_t value;
	const char *text[REPORT_NR_KEYS];	/* in the order of the table's keys */
	const char *module;	/* of a symbol, if the module is not a key */
	struct buf name[REPORT_NR_KEYS];	/* storage for texts that are generated */
	struct buf id;		/* all texts, each with its NUL */
};

static struct report_entry *find(const struct report_table *t, const struct buf *id)
{
	uint32_t i;

	if (!t->nr)
		return NULL;
	hash_each(i, &t->table, hash_text(id->data, id->len)) {
		struct report_entry *e = &t->entry[hash_at(&t->table, i)];

		if (e->len == id->len && !memcmp(e->text[0], id->data, id->len))
			return e;
	}
	return NULL;
}

static struct report_entry *add(struct report_table *t, const struct buf *id)
{
	const char *text = arena_copy(&t->names, id->data, id->len);
	struct report_entry *e;
	size_t i;

	t->entry = mem_grow(t->entry, &t->room, t->nr + 1, sizeof(*t->entry));
	if (hash_grow(&t->table, t->nr + 1))
		for (i = 0; i < t->nr; i++)
			hash_put(&t->table, hash_text(t->entry[i].text[0], t->entry[i].len), i);
	hash_put(&t->table, hash_text(id->data, id->len), t->nr);
	e = &t->entry[t->nr++];
	*e = (struct report_entry){ .len = id->len };
	for (i = 0; i < t->keys.nr; i++, text += strlen(text) + 1)
		e->text[i] = text;
	e->module = text;
	return e;
}

static struct report_entry *get(struct report_table *t, struct share *share)
{
	struct report_entry *e;
	size_t i;

	share->id.len = 0;
	for (i = 0; i < t->keys.nr; i++)
		buf_add(&share->id, share->text[i], strlen(share->text[i]) + 1);
	buf_add(&share->id, share->module, strlen(share->module) + 1);
	e = find(t, &share->id);
	return e ? e : add(t, &share->id);
}

static void add_counts(uint64_t *to, const struct tally_row *row)
{
	int i;

	for (i = 0; i < TALLY_COUNTS; i++)
		to[i] += row->count[i];
}

static struct report_entry *count(struct report_table *t, struct share *share, bool leaf)
{
	struct report_entry *e = get(t, share);

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

/* The texts of a function, and of the source line there. */
struct function {
	const char *sym, *srcline, *module;
	const char *of_symbol;	/* the module, if it has one of its own */
};

/* Set those that are keys of frames. */
static void set_function(const struct report_table *t, struct share *share,
			 const struct function *function)
{
	bool is_key = false;
	size_t i;

	for (i = 0; i < t->keys.nr; i++) {
		if (t->keys.key[i] == REPORT_SYM)
			share->text[i] = function->sym;
		else if (t->keys.key[i] == REPORT_SRCLINE)
			share->text[i] = function->srcline;
		else if (t->keys.key[i] == REPORT_MODULE)
			share->text[i] = function->module;
		is_key |= t->keys.key[i] == REPORT_MODULE;
	}
	share->module = is_key ? "" : function->of_symbol;
}

/* As --srcline has it behind the name of a function. */
static const char *srcline_of(const struct frame *frame, struct buf *text)
{
	text->len = 0;
	if (frame->file && frame->line)
		buf_printf(text, "%s:%" PRIu32, frame_file(frame), frame->line);
	else
		buf_printf(text, "[unknown]");
	return text->data;
}

/* @innermost: this is the first stack of its row. */
static void count_stack(struct report_table *t, const struct data *d, struct share *share,
			const struct data_stack *part, bool innermost)
{
	const struct kprof_stack *stack = part->stack;
	const struct frame *frame;
	struct buf name = { 0 }, line = { 0 };
	size_t nr, f;
	int i;

	if (!stack) {
		set_function(t, share, &(struct function){
			part->special, part->special, part->special, ""
		});
		count(t, share, innermost);
		return;
	}
	for (i = 0; i < stack->nr; i++) {
		frame = frames_at(d, stack->ip[i] - !!i, &nr);
		for (f = 0; f < nr; f++) {
			name.len = 0;
			frame_print(&frame[f], &name);
			set_function(t, share, &(struct function){
				name.data, srcline_of(&frame[f], &line), frame_module(&frame[f]),
				frame[f].module ? frame[f].module : ""
			});
			count(t, share, innermost && !i && !f)->is_user = frame[f].is_user;
		}
	}
	buf_free(&name);
	buf_free(&line);
}

static void count_row(struct report_table *t, const struct data *d, struct share *share,
		      bool has_frames)
{
	struct data_stack stacks[DATA_ROW_STACKS];
	int nr, i;
	size_t k;

	for (k = 0; k < t->keys.nr; k++)
		if (!report_key_is_of_frames(t->keys.key[k]))
			share->text[k] = report_key_text(d, share->row, t->keys.key[k],
							 &share->name[k]);
	share->module = "";
	if (!has_frames) {
		count(t, share, true);
		return;
	}
	nr = data_row_stacks(d, share->row, stacks);
	for (i = 0; i < nr; i++)
		count_stack(t, d, share, &stacks[i], !i);
}

static int largest_first(const void *va, const void *vb, void *arg)
{
	const struct report_entry *a = va, *b = vb;
	const struct report_order *order = arg;
	const uint64_t self[] = { a->self, b->self }, children[] = { a->children, b->children };
	const uint64_t *major = order->by_children ? children : self;
	const uint64_t *minor = order->by_children ? self : children;
	int by_text = 0;
	size_t i;

	if (major[0] != major[1])
		return major[0] > major[1] ? -1 : 1;
	if (minor[0] != minor[1])
		return minor[0] > minor[1] ? -1 : 1;
	for (i = 0; i < order->keys.nr && !by_text; i++)
		by_text = strcmp(a->text[i], b->text[i]);
	return by_text ? by_text : strcmp(a->module, b->module);
}

void report_table_make(struct report_table *t, const struct data *d, const struct tally *tally,
		       const struct report_order *order)
{
	bool has_frames = report_keys_have_frames(&order->keys);
	struct share share = { 0 };
	size_t i;

	*t = (struct report_table){ .keys = order->keys };
	for (i = 0; i < tally->nr; i++) {
		share.row = &tally->row[i];
		share.nr = i + 1;
		share.value = order->by_weight ? share.row->ns : share.row->samples;
		if (!share.value)
			continue;
		t->total += share.value;
		t->samples += share.row->samples;
		add_counts(t->count, share.row);
		count_row(t, d, &share, has_frames);
	}
	if (t->nr)
		qsort_r(t->entry, t->nr, sizeof(*t->entry), largest_first, (void *)order);
	for (i = 0; i < REPORT_NR_KEYS; i++)
		buf_free(&share.name[i]);
	buf_free(&share.id);
}

/* Time of which there are no samples: see data/missed.h. */
static bool is_missed(const struct report_entry *e)
{
	return e->self && !e->samples;
}

double report_shift(const struct report_table *t)
{
	uint64_t total = t->total;
	double shift = 0;
	size_t i;

	for (i = 0; i < t->nr; i++)
		total -= is_missed(&t->entry[i]) ? t->entry[i].self : 0;
	for (i = 0; total && t->samples && i < t->nr; i++)
		if (!is_missed(&t->entry[i]))
			shift += fabs((double)t->entry[i].self / total -
				      (double)t->entry[i].samples / t->samples);
	return 50 * shift;	/* half: each shift is counted twice, as a loss and as a gain */
}

void report_table_free(struct report_table *t)
{
	free(t->entry);
	hash_free(&t->table);
	arena_free(&t->names);
}
