// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_finer.c - kprof explain: calls with the values found, in finer steps of other keys
 *
 * A key with many values is looked at by powers of two. If it is a part of what makes calls slow,
 * and begins inside of one, the rounds before name too many calls. This one names its range.
 */
#include <string.h>

#include "cmd/explain.h"
#include "lib/exit.h"

/* Conditions that the user has given count, too. */
static int given_conditions(const char *filters)
{
	int nr = 0;

	for (; *filters; filters++)
		nr += !strncmp(filters, "if=", 3) || *filters == ',';
	return nr;
}

static int measure(struct explain_work *w, const struct explain_coarse *coarse, int nr,
		   const char *conditions, struct lat_table *t)
{
	struct buf keys = { 0 }, line = { 0 }, what = { 0 };
	int i, ret;

	for (i = 0; i < nr; i++)
		explain_add_steps(&coarse[i], &keys);
	buf_printf(&line, "%s by=%s if=%s%s", w->target, keys.data, conditions, w->filters);
	buf_printf(&what, "by %s, if %s", keys.data, conditions);
	ret = explain_measure(w, (const char *const[]){ line.data }, 1, t, what.data);
	buf_free(&keys);
	buf_free(&line);
	buf_free(&what);
	return ret;
}

int explain_finer(struct explain_work *w)
{
	const struct explain *e = &w->result;
	struct explain_coarse coarse[EXPLAIN_FINER];
	struct buf conditions = { 0 };
	struct explain_range range;
	struct lat_table t = { .nr = 0 };
	int i, nr, ret = EXIT_OK;

	if (!e->nr || e->finding[0].explains < EXPLAIN_LEAST || !e->finding[0].worst.nr)
		return EXIT_OK;
	nr = explain_coarse_find(e, w->group, w->nr, coarse);
	i = explain_add_conditions(&e->finding[0], &conditions);
	if (nr && i && i + given_conditions(w->filters) <= EXPLAIN_CONDITIONS) {
		ret = measure(w, coarse, nr, conditions.data, &t);
		for (i = 0; i < nr && !ret; i++) {
			bool found = explain_range_find(&range, &t, w->target, i);

			explain_print_range(found ? &range : NULL, &coarse[i], e, w->round, stdout);
		}
		lat_free(&t);
	}
	buf_free(&conditions);
	return ret;
}
