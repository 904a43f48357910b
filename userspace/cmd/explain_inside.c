// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_inside.c - kprof explain: is it one of the functions that a function calls?
 *
 * If values of keys were found, the function is measured by these keys once more, together with
 * what it calls. A callee that has the time which calls with these values take longer is followed:
 * the next round measures what that one calls, and so on, to where it ends or EXPLAIN_STEPS are
 * done. If no values were found, one round tells whether what it calls has the time of slow calls.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/explain.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "record/callees.h"

/* The targets of a round: at most two functions, and the callees of one. */
struct lines {
	struct buf line[2 + CALLEES_MAX];
	const char *text[2 + CALLEES_MAX];
	int nr;
};

static void add_line(struct lines *l, const char *function, const char *keys, const char *filters)
{
	buf_printf(&l->line[l->nr], "%s%s%s%s", function, *keys ? " by=" : "", keys, filters);
	l->text[l->nr] = l->line[l->nr].data;
	l->nr++;
}

static void lines_free(struct lines *l)
{
	int i;

	for (i = 0; i < l->nr; i++)
		buf_free(&l->line[i]);
}

/* --- without values: the callees that have the time above the median --- */

static int look_at_all(struct explain_work *w)
{
	struct explain_inside inside;
	struct lat_table t = { .nr = 0 };
	struct lines lines = { .nr = 0 };
	struct callees callees;
	int i, ret = EXIT_OK;

	callees_find(&callees, w->target);
	add_line(&lines, w->target, "", w->filters);
	for (i = 0; i < callees.nr; i++)
		add_line(&lines, callees.name[i], "caller", "");
	if (callees.nr)
		ret = explain_measure(w, lines.text, lines.nr, &t,
				      "by the functions that it calls");
	if (!ret && callees.nr) {
		bool found = explain_inside_find(&inside, &t, w->target);

		explain_print_inside(&inside, found, w->target, &w->result.again, stdout);
	} else if (!ret) {
		explain_print_no_callees(w->target, &w->result.again, stdout);
	}
	lines_free(&lines);
	callees_free(&callees);
	lat_free(&t);
	return ret;
}

/* --- with values: from callee to callee --- */

/* Is it the function itself, or one on the way from there? A target can be given only once. */
static bool is_on_the_way(const struct explain_work *w, const struct explain_chain *chain,
			  const char *name)
{
	int i;

	for (i = 0; i < chain->nr; i++)
		if (!strcmp(chain->step[i].function, name))
			return true;
	return !strcmp(w->target, name);
}

/* Returns how many callees are among the targets. */
static int set_lines(struct lines *l, const struct explain_work *w,
		     const struct explain_chain *chain, const char *keys)
{
	const char *parent = chain->nr ? chain->step[chain->nr - 1].function : w->target;
	struct callees callees;
	int i, nr = 0;

	callees_find(&callees, parent);
	add_line(l, w->target, keys, w->filters);
	if (chain->nr)
		add_line(l, parent, "caller", "");
	for (i = 0; i < callees.nr; i++) {
		if (is_on_the_way(w, chain, callees.name[i]))
			continue;
		add_line(l, callees.name[i], "caller", "");
		nr++;
	}
	callees_free(&callees);
	return nr;
}

/* A step of the chain: measure, and see what has the time. */
static int look_further(struct explain_work *w, struct explain_chain *chain,
			const struct explain_finding *f, const char *keys)
{
	struct lat_table t = { .nr = 0 };
	struct lines lines = { .nr = 0 };
	struct buf what = { 0 };
	int ret = EXIT_OK;

	buf_printf(&what, "by %s, and by the functions that %s calls", keys,
		   chain->nr ? chain->step[chain->nr - 1].function : "it");
	chain->end = EXPLAIN_NO_CALLEES;
	if (set_lines(&lines, w, chain, keys)) {
		ret = explain_measure(w, lines.text, lines.nr, &t, what.data);
		if (!ret)
			explain_chain_add(chain, &t, w->target, f, w->round);
	}
	buf_free(&what);
	lines_free(&lines);
	lat_free(&t);
	return ret;
}

static int follow(struct explain_work *w)
{
	const struct explain_finding *f = &w->result.finding[0];
	struct explain_chain chain = { .nr = 0, .end = EXPLAIN_GOES_ON };
	struct buf keys = { 0 };
	int ret = EXIT_OK;

	explain_keys_of(f, &keys);
	while (!ret && chain.end == EXPLAIN_GOES_ON && !w->interrupted)
		ret = look_further(w, &chain, f, keys.data);
	if (!ret)
		explain_print_chain(&chain, f, w->target, &w->result.again, stdout);
	explain_chain_free(&chain);
	buf_free(&keys);
	return ret;
}

int explain_inside(struct explain_work *w)
{
	const struct explain *e = &w->result;
	bool found = e->nr && e->finding[0].explains >= EXPLAIN_LEAST && e->finding[0].worst.nr;

	return found ? follow(w) : look_at_all(w);
}
