// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_chain.c - from callee to callee, to the one where calls with the values found are slow
 *
 * Each step is a round of measurement of its own: of the function by the keys that were found, of
 * the last callee, and of what that one calls.
 */
#include <string.h>

#include "explain/explain.h"

/* A callee of more calls, those from elsewhere included, is not followed: whose is its time? */
#define ELSEWHERE	1.5

/* Is the last callee called mostly from the one before it? */
static bool is_ours(const struct explain_chain *chain, const struct lat_table *t,
		    const char *function)
{
	const char *last = chain->step[chain->nr - 1].function;
	const char *before = chain->nr > 1 ? chain->step[chain->nr - 2].function : function;
	uint64_t ours = 0, all = 0;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		const struct lat_row *row = &t->row[i];

		if (strcmp(row->target, last))
			continue;
		all += row->calls;
		if (explain_is_called_by(row, before))
			ours += row->calls;
	}
	return all <= ELSEWHERE * ours;
}

static void add_step(struct explain_chain *chain, const struct explain_callee *callee)
{
	struct explain_step *step = &chain->step[chain->nr++];

	step->function = arena_copy(&chain->texts, callee->function, strlen(callee->function));
	step->place = arena_copy(&chain->texts, callee->place, callee->place_len);
	step->share = callee->share;
	chain->end = chain->nr < EXPLAIN_STEPS ? EXPLAIN_GOES_ON : EXPLAIN_TOO_DEEP;
}

void explain_chain_add(struct explain_chain *chain, const struct lat_table *t,
		       const char *function, const struct explain_finding *f, int round)
{
	struct explain_slow slow;
	struct explain_inside in;
	const char *parent = chain->nr ? chain->step[chain->nr - 1].function : function;
	int i;

	chain->round = round;
	if (!explain_slow_find(&slow, t, function, f)) {
		chain->end = EXPLAIN_NOT_AGAIN;
	} else if (chain->nr && !is_ours(chain, t, function)) {
		chain->end = EXPLAIN_ELSEWHERE;
	} else if (explain_slow_inside(&in, t, &slow, parent)) {
		add_step(chain, &in.callee[0]);
	} else if (in.nr && in.callee[0].share >= EXPLAIN_MOST) {
		chain->end = EXPLAIN_NOT_SURE;
		buf_printf(&chain->others, "%s", in.callee[0].function);
	} else {
		chain->end = EXPLAIN_NO_CALLEE;
		for (i = 0; i < in.nr; i++)
			buf_printf(&chain->others, "%s%s %.0f %%", i ? ", " : "",
				   in.callee[i].function, 100 * in.callee[i].share);
	}
}

void explain_chain_free(struct explain_chain *chain)
{
	arena_free(&chain->texts);
	buf_free(&chain->others);
}
