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
#include "lib/mem.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "lib/plural.h"

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

/* What a single sample of the timer makes of a difference. */
static void print_grain(const struct stacks_side side[2])
{
	uint64_t hz[2] = { 0 };
	int i;

	for (i = 0; i < 2 && side[i].is_recording; i++) {
		char *event = data_meta(&side[i].data, "event"), *freq = data_meta(&side[i].data, "freq");

		if (!strcmp(event, "timer"))
			hz[i] = number_or_0(freq);
		free(event);
		free(freq);
	}
	if (hz[0] && hz[0] == hz[1])
		printf("# a sample stands for %" PRIu64 " ns: rows that differ by a few of them differ by "
		       "chance;\n# kprof diff A1 A2 A3 -- B1 B2 B3 tells what does not\n",
		       UINT64_C(1000000000) / hz[0]);
}

static void print_text(const struct stacks_side side[2], const struct diff_stacks_options *o,
		       const struct stacks_two *two, const struct diff_function *function,
		       size_t nr)
{
	static const char *const names[] = {
		"self B - A", "self A", "self B", "% A", "% B", "total B - A", "function",
	};
	folded_count a = two->total[0], b = two->total[1];
	size_t i, shown = o->lines && (size_t)o->lines < nr ? (size_t)o->lines : nr;
	const char *unit = *two->unit.name ? two->unit.name : "in all";
	struct columns c;

	printf("# A: %s  %.0Lf %s\n# B: %s  %.0Lf %s\n", side[0].name, a, unit, side[1].name, b,
	       unit);
	if (a)
		printf("# B - A: %+.0Lf (%+.1Lf %% of A)\n", b - a, 100 * (b - a) / a);
	if (a && b && (b > 1.1L * a || a > 1.1L * b))
		printf("# B has %.2Lf times as much in all as A: more of a function may mean no more "
		       "than that; see %%\n", b / a);
	if (!strcmp(two->unit.name, "ns"))
		print_grain(side);
	print_boots(side);
	printf("#\n# %s; functions by how much they themselves differ; total has what they call in "
	       "it\n#\n", *two->unit.name ? two->unit.name : "counts, of what the texts count");
	columns_begin(&c, names, sizeof(names) / sizeof(*names), 1);
	for (i = 0; i < shown; i++) {
		const struct diff_function *f = &function[i];

		columns_add(&c, "%+.0Lf", change(f));
		columns_add(&c, "%.0Lf", f->self[0]);
		columns_add(&c, "%.0Lf", f->self[1]);
		columns_add(&c, "%.2Lf", a ? 100 * f->self[0] / a : 0);
		columns_add(&c, "%.2Lf", b ? 100 * f->self[1] / b : 0);
		columns_add(&c, "%+.0Lf", f->total[1] - f->total[0]);
		columns_add(&c, "%s", f->name);
	}
	columns_print(&c, stdout);
	if (shown < nr)
		printf("# %zu more line%s: --lines N shows more\n", nr - shown, plural(nr - shown));
}

static void csv_count(struct csv *c, folded_count count)
{
	csv_textf(c, "%.0Lf", count);
}

static void print_csv(const struct diff_stacks_options *o, const struct stacks_two *two,
		      const struct diff_function *function, size_t nr)
{
	static const char *const names[] = {
		"self_a", "self_b", "self_difference", "total_a", "total_b", NULL
	};
	struct csv c = csv_begin(stdout, NULL);
	size_t i;

	csv_text(&c, "function");
	for (i = 0; names[i]; i++)
		csv_textf(&c, "%s_%s", names[i], *two->unit.name ? two->unit.name : "count");
	csv_end_line(&c);
	for (i = 0; i < nr && (!o->lines || i < (size_t)o->lines); i++) {
		csv_text(&c, function[i].name);
		csv_count(&c, function[i].self[0]);
		csv_count(&c, function[i].self[1]);
		csv_count(&c, change(&function[i]));
		csv_count(&c, function[i].total[0]);
		csv_count(&c, function[i].total[1]);
		csv_end_line(&c);
	}
}

struct diff_function *diff_functions(const struct folded *f, size_t *nr)
{
	struct diff_function *function = mem_zalloc(f->names.nr, sizeof(*function));
	uint32_t i;

	*nr = 0;
	for (i = 0; i < f->names.nr; i++)
		function[i].name = f->names.name[i].text;
	for (i = 1; i < f->nr_nodes; i++)
		if (f->self[i].before || f->self[i].after)
			count_up(function, f, i);
	for (i = 0; i < f->names.nr; i++)
		if (function[i].total[0] || function[i].total[1])
			function[(*nr)++] = function[i];
	return function;
}

static void show(const struct stacks_side side[2], const struct diff_stacks_options *o,
		 const struct stacks_two *two, const struct folded *f)
{
	size_t nr;
	struct diff_function *function = diff_functions(f, &nr);

	if (nr)
		qsort(function, nr, sizeof(*function), largest_first);
	if (o->csv)
		print_csv(o, two, function, nr);
	else
		print_text(side, o, two, function, nr);
	free(function);
}

bool diff_has_stacks(const struct stacks_side *file)
{
	return !file->is_recording ||
	       (!lat_is_measurement(&file->data) && file->data.nr_records);
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
