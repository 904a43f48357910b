// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_stacks.c - compare two recordings of stacks, or two folded texts, by function
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/empty.h"
#include "data/text_filter.h"
#include "diff/diff.h"
#include "diff/diff_stacks.h"
#include "lat/lat.h"
#include "lib/csv.h"
#include "lib/interval.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/pager.h"
#include "lib/opt.h"

static void count_up(struct diff_function *function, const struct folded *f, uint32_t node)
{
	const struct folded_self *self = &f->self[node];
	uint32_t at;

	function[f->node[node].name].self[0] += self->before;
	function[f->node[node].name].self[1] += self->after;
	for (at = node; at; at = f->node[at].parent) {
		struct diff_function *one = &function[f->node[at].name];

		if (one->last_stack == node)	/* recursion: already counted */
			continue;
		one->last_stack = node;
		one->total[0] += self->before;
		one->total[1] += self->after;
	}
}

folded_count diff_change(const struct diff_scale *s, const folded_count count[2])
{
	return s->by[1] * count[1] - s->by[0] * count[0];
}

/*
 * Of a share, the total is drawn, too: it varies less, and not at all where it is all of it. Nobody
 * knows that it is all, though, of fewer samples than there are.
 */
folded_count diff_chance(const struct diff_scale *s, const folded_count count[2])
{
	folded_count variance = 0;
	int i;

	for (i = 0; i < 2; i++) {
		folded_count one = s->by[i] * s->grain[i], value = s->by[i] * count[i];
		folded_count rest = s->is_share ? fmaxl(100 - value, one) / 100 : 1;

		variance += value * one * rest;
	}
	return INTERVAL_Z95 * sqrtl(variance);
}

static int largest_first(const void *va, const void *vb)
{
	const struct diff_function *a = va, *b = vb;
	folded_count by_self = fabsl(b->self_change) - fabsl(a->self_change);
	folded_count by_total = fabsl(b->total_change) - fabsl(a->total_change);

	if (by_self)
		return by_self > 0 ? 1 : -1;
	return by_total > 0 ? 1 : by_total < 0 ? -1 : 0;
}

/*
 * How much one sample stands for; 0: not known. A sum of weights varies by the square root of the
 * sum of their squares, which for a part of the samples is about this, times the part's sum.
 * @samples: how many there are.
 */
static folded_count grain_of(const struct stacks_side *side, const struct data_unit *unit,
			     const struct tally_query *query, uint64_t *samples)
{
	const struct data *d = &side->data;
	folded_count sum = 0, squares = 0;
	size_t chunk, i;
	uint32_t source;

	*samples = 0;
	if (!side->is_recording || !unit->has_samples)
		return 0;
	source = query->source ? tally_source(d, query->source) : 0;
	for (chunk = 0; chunk < d->nr_chunks; chunk++) {
		for (i = 0; i < d->chunk[chunk].nr; i++) {
			const struct kprof_record *rec = &d->chunk[chunk].rec[i];

			if (!tally_counts(query, d, source, rec))
				continue;
			sum += rec->weight;
			squares += (folded_count)rec->weight * rec->weight;
			++*samples;
		}
	}
	return !unit->by_weight ? 1 : sum ? squares / sum : 0;
}

struct diff_unit diff_unit_of(const char *name)
{
	if (!strcmp(name, "percent"))
		return (struct diff_unit){ "%", 1, 2 };
	return strcmp(name, "ns") ? (struct diff_unit){ name, 1, 0 } :
				    (struct diff_unit){ "ms", 1e6, 3 };
}

static struct diff_compared comparison_of(const struct stacks_side side[2],
					  const struct diff_stacks_options *o,
					  const struct stacks_two *two)
{
	struct diff_compared c = {
		.side = side, .o = o, .two = two, .query = o->part.query,
		.counts = { .by = { 1, 1 } }, .shares = { .is_share = true },
	};
	int i;

	c.query.samples_only = o->part.samples_first;
	for (i = 0; i < 2; i++) {
		const struct data_unit *unit = &two->unit[i];

		c.unit[i] = diff_unit_of(unit->name);
		c.counts.grain[i] = grain_of(&side[i], unit, &c.query, &c.samples[i]);
		c.shares.grain[i] = c.counts.grain[i];
		c.shares.by[i] = two->total[i] > 0 ? 100 / two->total[i] : 0;
	}
	c.has_chance = c.counts.grain[0] && c.counts.grain[1];
	c.by = two->by_shares ? c.shares : c.counts;
	return c;
}

const char *diff_stacks_verdict(const struct diff_compared *c, const folded_count count[2])
{
	folded_count by = diff_change(&c->by, count);

	return !c->has_chance ? "-" : fabsl(by) <= diff_chance(&c->by, count) ? "same" :
	       by > 0 ? "more" : "less";
}

const char *diff_function_verdict(const struct diff_compared *c, const struct diff_function *f,
				  const struct diff_late *late)
{
	const char *is = diff_stacks_verdict(c, f->self);

	return strcmp(is, "same") && diff_late_find(late, f->name) ? "late" : is;
}

size_t diff_stacks_shown(const struct diff_stacks_options *o, size_t nr)
{
	return o->lines && (size_t)o->lines < nr ? (size_t)o->lines : nr;
}

/* Columns of A, of B, and of both: their difference has a unit only if they have the same. */
static void csv_head(struct csv *csv, const struct diff_compared *c)
{
	static const struct {
		const char *name;
		int side;
	} columns[] = {
		{ "self_a", 0 }, { "self_b", 1 }, { "self_difference", -1 },
		{ "total_a", 0 }, { "total_b", 1 }, { "self_by_chance", -1 },
	};
	size_t i;

	csv_text(csv, "function");
	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		int side = columns[i].side;
		const char *unit = side < 0 && c->two->unlike ? "" :
				   c->two->unit[side < 0 ? 1 : side].name;

		csv_textf(csv, "%s_%s", columns[i].name, *unit ? unit : "count");
	}
	csv_text(csv, "self_difference_points");
	csv_text(csv, "self_by_chance_points");
	csv_end_line(csv);
}

static void csv_count(struct csv *c, bool is_known, int digits, folded_count count)
{
	if (is_known)
		csv_textf(c, "%.*Lf", digits, count);
	else
		csv_text(c, "");
}

static void print_csv(const struct diff_compared *c, const struct diff_function *function,
		      size_t nr)
{
	struct csv csv = csv_begin(stdout, NULL);
	size_t i;

	csv_head(&csv, c);
	for (i = 0; i < diff_stacks_shown(c->o, nr); i++) {
		const folded_count *self = function[i].self;

		csv_text(&csv, function[i].name);
		csv_count(&csv, true, 0, self[0]);
		csv_count(&csv, true, 0, self[1]);
		csv_count(&csv, !c->two->unlike, 0, diff_change(&c->counts, self));
		csv_count(&csv, true, 0, function[i].total[0]);
		csv_count(&csv, true, 0, function[i].total[1]);
		csv_count(&csv, c->has_chance, 0, diff_chance(&c->counts, self));
		csv_count(&csv, true, 4, diff_change(&c->shares, self));
		csv_count(&csv, c->has_chance, 4, diff_chance(&c->shares, self));
		csv_end_line(&csv);
	}
}

/* Stacks begin with their task, or with their source, in brackets, and then the task. */
bool diff_is_task(const struct folded *f, uint32_t node)
{
	uint32_t parent = f->node[node].parent;

	const struct strtab_entry *name = &f->names.name[f->node[parent].name];

	return !parent || (!f->node[parent].parent && folded_is_source(name->text, name->len));
}

/* Whether each node is the function of that name, or below it. */
static bool *find_below(const struct folded *f, const char *name)
{
	bool *is_below = mem_zalloc((size_t)f->nr_nodes + 1, sizeof(*is_below));
	uint32_t i;

	for (i = 1; i < f->nr_nodes; i++)
		is_below[i] = is_below[f->node[i].parent] ||
			      (!diff_is_task(f, i) &&
			       !strcmp(f->names.name[f->node[i].name].text, name));
	return is_below;
}

struct diff_function *diff_functions(const struct folded *f, const char *below, size_t *nr)
{
	struct diff_function *function = mem_zalloc(f->names.nr, sizeof(*function));
	bool *is_below = below ? find_below(f, below) : NULL;
	uint32_t i;

	*nr = 0;
	for (i = 0; i < f->names.nr; i++)
		function[i].name = f->names.name[i].text;
	for (i = 1; i < f->nr_nodes; i++)
		if ((!is_below || is_below[i]) && (f->self[i].before || f->self[i].after))
			count_up(function, f, i);
	for (i = 0; i < f->names.nr; i++)
		if (function[i].total[0] || function[i].total[1])
			function[(*nr)++] = function[i];
	free(is_below);
	return function;
}

static void sort_functions(const struct diff_compared *c, struct diff_function *function, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		function[i].self_change = diff_change(&c->by, function[i].self);
		function[i].total_change = diff_change(&c->by, function[i].total);
	}
	if (nr)
		qsort(function, nr, sizeof(*function), largest_first);
}

static void show(const struct stacks_side side[2], const struct diff_stacks_options *o,
		 const struct stacks_two *two, const struct folded *f)
{
	const struct diff_compared c = comparison_of(side, o, two);
	const struct diff_next_options next = {
		.query = &c.query, .by_weight = two->unit[1].by_weight,
		.is_time = two->unit[1].by_weight && !strcmp(two->unit[1].name, "ns"),
		.total = { two->total[0], two->total[1] }, .scale = c.by,
	};
	struct diff_late late = { 0 };
	size_t nr;
	struct diff_function *function = diff_functions(f, NULL, &nr);

	sort_functions(&c, function, nr);
	/* Which ticks came late, and what to do next, is told of all of a recording. */
	if (c.has_chance && !o->csv && !two->unit[0].is_part)
		diff_late_make(&late, side, &next);
	if (o->csv) {
		print_csv(&c, function, nr);
	} else if (o->json) {
		diff_stacks_json(&c, f, function, diff_stacks_shown(o, nr), &late);
	} else {
		diff_stacks_text(&c, f, function, nr, &late);
		if (!two->unit[0].is_part)
			diff_next(&late, &next);
	}
	diff_late_free(&late);
	free(function);
}

bool diff_has_stacks(const struct stacks_side *file)
{
	return !file->is_recording ||
	       (!lat_is_measurement(&file->data) && file->data.nr_records);
}

int diff_refuse_cut(const struct stacks_side *file)
{
	const struct data *d = &file->data;

	if (!file->is_recording || d->whole || d->nr_records || lat_is_measurement(d))
		return EXIT_OK;
	return msg_error("%s: cut off after %" PRIu64 " bytes, before what it recorded: there is nothing "
			 "to compare", file->name, d->good);
}

/* Is there nothing on either side, by filters or anyway? Then that is all there is to say. */
static bool is_empty(const struct stacks_side side[2], const struct stacks_two *two)
{
	return (two->unit[0].is_part || !side[1].is_recording) &&
	       two->total[0] <= 0 && two->total[1] <= 0;
}

static int tell_empty(const struct stacks_side side[2], const struct data_fold_options *part)
{
	const struct stacks_side *b = &side[1];
	const struct empty empty = {
		.path = b->path, .is_text = !b->is_recording, .filter = part->filter,
		.has_samples = b->is_recording || (text_filter_is_given(part) &&
						   b->text.lines > b->text.bad_lines),
		.source = part->query.source, .context = TALLY_ANY,
	};

	return empty_tell(&empty);
}

/* @ret: what reading has returned. */
static int show_compared(const struct stacks_side side[2], const struct diff_stacks_options *o,
			 struct stacks_two *two, const struct folded *f, int ret)
{
	struct pager pager;

	if (is_empty(side, two))
		return tell_empty(side, &o->part);
	if (stacks_choose(side, two, o->by))
		return EXIT_USAGE;
	pager_begin(&pager);
	show(side, o, two, f);
	pager_end(&pager);
	return ret;
}

int diff_stacks(struct stacks_side side[2], const struct diff_stacks_options *o)
{
	struct stacks_two two;
	struct folded f;
	int ret;

	folded_init(&f, FOLDED_MERGE);
	ret = stacks_compare(side, &o->part, &f, &two);
	if (ret == EXIT_OK || ret == EXIT_LOST)
		ret = show_compared(side, o, &two, &f, ret);
	folded_free(&f);
	return ret;
}
