// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_next.c - suggest what to measure next: the functions with the most time of their own
 */
#include <stdlib.h>
#include <string.h>

#include "data/next.h"
#include "report/report_print.h"

#define NEXT_MAX	3
#define LATE_MAX	3	/* each looks at all stacks */
#define NEXT_LEAST	5.0	/* per cent of the total */

static int largest_first(const void *va, const void *vb)
{
	const struct next_function *a = va, *b = vb;

	if (a->count[0] != b->count[0])
		return a->count[0] > b->count[0] ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Rows whose time is not their own would otherwise be taken for what is slow. */
static void print_late(const struct report_output *o, const struct report_table *t,
		       const struct tally *tally, struct next *n)
{
	size_t i, nr = 0;

	for (i = 0; i < t->nr && nr < LATE_MAX; i++) {
		const struct report_entry *e = &t->entry[i];
		struct next_callers callers = { 0 };
		const struct next_function *f;

		if (e->is_user || report_percent(e->self, t->total) < NEXT_LEAST)
			continue;
		f = next_find(n, e->module, e->text[0]);
		if (!f || !next_is_late(n, f))
			continue;
		next_add_callers(n, o->data, tally, f, 1, &callers);
		fprintf(o->out, "# late: %.0f %% of %s came late: interrupts were off until then,\n"
			"#   or the processor stood still; that is time of its callers",
			100 * f->late[0] / f->ticks[0], f->name);
		next_print_callers(n, &callers, e->self, o->out);
		fputc('\n', o->out);
		free(callers.ns);
		nr++;
	}
	if (nr)
		next_print_late(o->out);
}

static void print_next(const struct report_output *o, const struct report_table *t,
		       struct next *n)
{
	struct buf line = { 0 };
	size_t i, nr = 0;

	if (n->nr)
		qsort(n->function, n->nr, sizeof(*n->function), largest_first);
	for (i = 0; i < n->nr && nr < NEXT_MAX; i++)
		if (t->total && 100 * n->function[i].count[0] / t->total >= NEXT_LEAST)
			buf_printf(&line, "%s %s", nr++ ? "" : "# next, how long these take: "
				   "kprof lat --skip-missing", n->function[i].name);
	if (nr) {
		next_add_command(o->data, &line);
		fprintf(o->out, "%s\n", line.data);
	}
	buf_free(&line);
}

void report_next(const struct report_output *o, const struct report_table *t,
		 const struct tally *tally)
{
	struct next n = { 0 };

	if (!report_keys_are(&t->keys, REPORT_SYM) || data_has_targets(o->data))
		return;
	next_add_ticks(&n, o->data, tally, 0);
	next_add_counts(&n, o->data, tally, 0, o->unit.by_weight);
	if (o->unit.by_weight && !strcmp(o->unit.name, "ns"))
		print_late(o, t, tally, &n);
	print_next(o, t, &n);
	next_free(&n);
}
