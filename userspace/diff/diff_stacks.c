// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_stacks.c - compare two recordings of stacks, or two folded texts, by function
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "diff/diff_stacks.h"
#include "lat/lat.h"
#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/plural.h"

#define LATE_LINES	5	/* each looks at all stacks */
#define ENTRY_LINES	10

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

static folded_count change(const struct diff_function *f)
{
	return f->self[1] - f->self[0];
}

static int largest_first(const void *va, const void *vb)
{
	const struct diff_function *a = va, *b = vb;
	folded_count by_self = fabsl(change(b)) - fabsl(change(a));
	folded_count by_total = fabsl(b->total[1] - b->total[0]) -
				fabsl(a->total[1] - a->total[0]);

	if (by_self)
		return by_self > 0 ? 1 : -1;
	return by_total > 0 ? 1 : by_total < 0 ? -1 : 0;
}

/* What differs between the boots, if anything does, and if both sides know their boot. */
static void print_boots(const struct stacks_side side[2])
{
	const struct diff_output o = { .out = stdout };
	struct diff d = { .data = { &side[0].data, &side[1].data } };

	if (!side[0].is_recording || !side[1].is_recording)
		return;
	diff_boot_make(&d);
	if (d.nr_changes)
		diff_print_changes(&o, &d);
	diff_free(&d);
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
	return strcmp(name, "ns") ? (struct diff_unit){ name, 1, 0 } :
				    (struct diff_unit){ "ms", 1e6, 3 };
}

static struct diff_compared comparison_of(const struct stacks_side side[2],
					  const struct diff_stacks_options *o,
					  const struct stacks_two *two)
{
	const struct diff_unit unit = diff_unit_of(two->unit[1].name);
	struct diff_compared c = {
		.side = side, .o = o, .two = two, .query = o->part.query,
		.unit = unit.name, .scale = unit.scale, .digits = unit.digits,
	};
	int i;

	c.query.samples_only = o->part.samples_first;
	for (i = 0; i < 2; i++)
		c.grain[i] = grain_of(&side[i], &two->unit[i], &c.query, &c.samples[i]);
	c.has_chance = c.grain[0] && c.grain[1];
	return c;
}

folded_count diff_chance(const struct diff_compared *c, const folded_count count[2])
{
	return INTERVAL_Z95 * sqrtl(count[0] * c->grain[0] + count[1] * c->grain[1]);
}

/* Which part of the recordings is compared, where it is not all. */
static void print_part(const struct diff_compared *c)
{
	const struct data_unit *unit = c->two->unit;
	const char *sep = "# of samples alone: calls and spans are left out, of";
	int i;

	if (c->query.source)
		printf("# of the source %s alone\n", c->query.source);
	for (i = 0; i < 2; i++) {
		if (!unit[i].nr_left_out)
			continue;
		printf("%s %d source%s in %c", sep, unit[i].nr_left_out,
		       plural(unit[i].nr_left_out), 'A' + i);
		sep = " and";
	}
	if (unit[0].nr_left_out || unit[1].nr_left_out)
		puts(";\n#   --source NAME compares those of one");
}

static void print_sums(const struct diff_compared *c)
{
	folded_count a = c->two->total[0], b = c->two->total[1];
	int i;

	for (i = 0; i < 2; i++) {
		struct buf basis = { 0 };

		if (c->side[i].is_recording)
			data_unit_describe(&c->two->unit[i], &c->side[i].data, &basis);
		printf("# %c: ", 'A' + i);
		escape_print(c->side[i].name, stdout);
		printf("  %.*Lf %s%s%s\n", c->digits,
		       c->two->total[i] / c->scale, *c->unit ? c->unit : "in all",
		       basis.len ? ": " : "", basis.len ? basis.data : "");
		buf_free(&basis);
	}
	printf("# in all, B - A: %+.*Lf", c->digits, (b - a) / c->scale);
	if (a)
		printf(" (%+.1Lf %%)", 100 * (b - a) / a);
	if (c->has_chance)
		printf(", of which up to %.*Lf may be chance", c->digits,
		       diff_chance(c, c->two->total) / c->scale);
	fputc('\n', stdout);
	print_part(c);
	if (a && b && (b > 1.1L * a || a > 1.1L * b))
		printf("# B has %.2Lf times as much in all as A: more of a function may mean no more "
		       "than that; see %%\n", b / a);
}

static void add_chance(struct columns *columns, const struct diff_compared *c,
		       const folded_count count[2])
{
	if (c->has_chance)
		columns_add(columns, "%.*Lf", c->digits, diff_chance(c, count) / c->scale);
	else
		columns_add(columns, "-");
}

const char *diff_stacks_verdict(const struct diff_compared *c, const folded_count count[2])
{
	folded_count by = count[1] - count[0];

	return !c->has_chance ? "-" : fabsl(by) <= diff_chance(c, count) ? "same" :
	       by > 0 ? "more" : "less";
}

const char *diff_function_verdict(const struct diff_compared *c, const struct diff_function *f,
				  const struct diff_late *late)
{
	const char *is = diff_stacks_verdict(c, f->self);

	return strcmp(is, "same") && diff_late_find(late, f->name) ? "late" : is;
}

static void add_row(struct columns *columns, const struct diff_compared *c,
		    const struct diff_function *f, const struct diff_late *late)
{
	folded_count a = c->two->total[0], b = c->two->total[1];

	columns_add(columns, "%+.*Lf", c->digits, change(f) / c->scale);
	add_chance(columns, c, f->self);
	columns_add(columns, "%.*Lf", c->digits, f->self[0] / c->scale);
	columns_add(columns, "%.*Lf", c->digits, f->self[1] / c->scale);
	columns_add(columns, "%.2Lf", a ? 100 * f->self[0] / a : 0);
	columns_add(columns, "%.2Lf", b ? 100 * f->self[1] / b : 0);
	columns_add(columns, "%+.*Lf", c->digits, (f->total[1] - f->total[0]) / c->scale);
	columns_add(columns, "%s", diff_function_verdict(c, f, late));
	columns_add(columns, "%s", f->name);
}

/* What the kernel was entered for: with all that was called, so no row has to be searched for. */
static void print_entries(const struct diff_compared *c, const struct folded *f)
{
	static const char *const names[] = {
		"total B - A", "+-", "total A", "total B", "B / A", "is", "entered for",
	};
	struct columns columns;
	size_t nr, i, shown;
	struct diff_function *entry = diff_entries(f, &nr);

	if (!nr) {
		free(entry);
		return;
	}
	shown = nr < ENTRY_LINES ? nr : ENTRY_LINES;
	fputs("#\n# what the kernel was entered for, with all that was called; by how much it "
	      "differs\n#\n", stdout);
	columns_begin(&columns, names, sizeof(names) / sizeof(*names), 2);
	for (i = 0; i < shown; i++) {
		const struct diff_function *e = &entry[i];

		columns_add(&columns, "%+.*Lf", c->digits, (e->total[1] - e->total[0]) / c->scale);
		add_chance(&columns, c, e->total);
		columns_add(&columns, "%.*Lf", c->digits, e->total[0] / c->scale);
		columns_add(&columns, "%.*Lf", c->digits, e->total[1] / c->scale);
		columns_add(&columns, e->total[0] ? "%.2Lf" : "-", e->total[1] / e->total[0]);
		columns_add(&columns, "%s", diff_stacks_verdict(c, e->total));
		columns_add(&columns, "%s", e->name);
	}
	columns_print(&columns, stdout);
	if (shown < nr)
		printf("# %zu more line%s\n", nr - shown, plural(nr - shown));
	free(entry);
}

/* Of the rows that are shown as late: why, and whose time it is. */
static void print_late(const struct diff_compared *c, const struct diff_function *function,
		       size_t nr, struct diff_late *late)
{
	size_t i, lines = 0;

	for (i = 0; i < nr && lines < LATE_LINES; i++) {
		const struct next_function *f = diff_late_find(late, function[i].name);

		if (!f || fabsl(change(&function[i])) <= diff_chance(c, function[i].self))
			continue;
		diff_late_print(late, f, change(&function[i]));
		lines++;
	}
	if (lines)
		next_print_late(stdout);
}

static size_t rows_shown(const struct diff_stacks_options *o, size_t nr)
{
	return o->lines && (size_t)o->lines < nr ? (size_t)o->lines : nr;
}

static void print_text(const struct diff_compared *c, const struct folded *f,
		       const struct diff_function *function, size_t nr, struct diff_late *late)
{
	static const char *const names[] = {
		"self B - A", "+-", "self A", "self B", "% A", "% B", "total B - A", "self is",
		"function",
	};
	size_t i, shown = rows_shown(c->o, nr);
	struct columns columns;

	print_sums(c);
	if (c->has_chance)
		diff_print_few(c->side, c->samples);
	print_boots(c->side);
	printf("#\n# %s; functions by how much they themselves differ; total has what they call in "
	       "it\n#\n", *c->unit ? c->unit : "counts, of what the texts count");
	columns_begin(&columns, names, sizeof(names) / sizeof(*names), 2);
	for (i = 0; i < shown; i++)
		add_row(&columns, c, &function[i], late);
	columns_print(&columns, stdout);
	if (shown < nr)
		printf("# %zu more line%s: --lines N shows more\n", nr - shown, plural(nr - shown));
	if (c->has_chance)
		fputs("# +-: by how much a function differs by chance alone, for so many samples, in 19 of\n"
		      "# 20 rows; same: by no more than that. Longer recordings, or more samples (-F), tell\n"
		      "# smaller differences; what varies from run to run, several runs: A.. -- B..\n",
		      stdout);
	print_late(c, function, shown, late);
	print_entries(c, f);
}

static void csv_count(struct csv *c, folded_count count)
{
	csv_textf(c, "%.0Lf", count);
}

static void print_csv(const struct diff_compared *compared, const struct diff_function *function,
		      size_t nr)
{
	static const char *const names[] = {
		"self_a", "self_b", "self_difference", "total_a", "total_b", "self_by_chance", NULL
	};
	const char *unit = compared->two->unit[1].name;
	struct csv c = csv_begin(stdout, NULL);
	size_t i;

	csv_text(&c, "function");
	for (i = 0; names[i]; i++)
		csv_textf(&c, "%s_%s", names[i], *unit ? unit : "count");
	csv_end_line(&c);
	for (i = 0; i < rows_shown(compared->o, nr); i++) {
		csv_text(&c, function[i].name);
		csv_count(&c, function[i].self[0]);
		csv_count(&c, function[i].self[1]);
		csv_count(&c, change(&function[i]));
		csv_count(&c, function[i].total[0]);
		csv_count(&c, function[i].total[1]);
		if (compared->has_chance)
			csv_count(&c, diff_chance(compared, function[i].self));
		else
			csv_text(&c, "");
		csv_end_line(&c);
	}
}

/* Stacks begin with their task, or with their source, in brackets, and then the task. */
bool diff_is_task(const struct folded *f, uint32_t node)
{
	uint32_t parent = f->node[node].parent;

	return !parent || (!f->node[parent].parent &&
			   *f->names.name[f->node[parent].name].text == '[');
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

static void show(const struct stacks_side side[2], const struct diff_stacks_options *o,
		 const struct stacks_two *two, const struct folded *f)
{
	const struct diff_compared c = comparison_of(side, o, two);
	const struct diff_next_options next = {
		.query = &c.query, .by_weight = two->unit[1].by_weight,
		.is_time = two->unit[1].by_weight && !strcmp(two->unit[1].name, "ns"),
		.total = { two->total[0], two->total[1] }, .grain = { c.grain[0], c.grain[1] },
	};
	struct diff_late late = { 0 };
	size_t nr;
	struct diff_function *function = diff_functions(f, NULL, &nr);

	if (nr)
		qsort(function, nr, sizeof(*function), largest_first);
	if (c.has_chance && !o->csv)
		diff_late_make(&late, side, &next);
	if (o->csv) {
		print_csv(&c, function, nr);
	} else if (o->json) {
		diff_stacks_json(&c, f, function, rows_shown(o, nr), &late);
	} else {
		print_text(&c, f, function, nr, &late);
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

int diff_stacks(struct stacks_side side[2], const struct diff_stacks_options *o)
{
	struct stacks_two two;
	struct folded f;
	int ret;

	folded_init(&f, FOLDED_MERGE);
	ret = stacks_compare(side, &o->part, &f, &two);
	if (ret == EXIT_OK || ret == EXIT_LOST)
		show(side, o, &two, &f);
	folded_free(&f);
	return ret;
}
