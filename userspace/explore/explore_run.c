// SPDX-License-Identifier: GPL-2.0-only
/*
 * explore_run.c - runs the tries, and finds out what each reached
 */
#include <stdlib.h>
#include <string.h>

#include "data/account.h"
#include "explore/explore.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "record/measurement.h"
#include "record/record_meta.h"
#include "record/snapshot.h"

#define CONSTANTS	256	/* of the code, at most */

/* The measurement goes on for all tries, of which each is an interval. */
struct run {
	struct explore *x;
	struct measurement measurement;
	struct snapshots snapshots;
};

/* --- numbers in the code --- */

static void add_constant(int64_t *constant, size_t *nr, int64_t value)
{
	size_t i;

	for (i = 0; i < *nr; i++)
		if (constant[i] == value)
			return;
	if (*nr < CONSTANTS)
		constant[(*nr)++] = value;
}

/* "cmp $0x10, %rdi" on x86-64, "cmp x0, #0x10" or "#16" on arm64. */
static void take_constants(const char *text, int64_t *constant, size_t *nr)
{
	uint64_t value;

	while ((text = strpbrk(text, "$#")) != NULL) {
		bool is_negative = *++text == '-', is_hex;

		text += is_negative;
		is_hex = !strncmp(text, "0x", 2);
		text += 2 * is_hex;
		if (number_take(&text, is_hex ? NUMBER_HEX : NUMBER_DECIMAL, &value))
			add_constant(constant, nr, (int64_t)(is_negative ? -value : value));
	}
}

static size_t find_constants(const struct blocks *b, int64_t *constant)
{
	struct buf text = { 0 };
	size_t nr = 0;
	uint32_t i;

	for (i = 0; i < b->function.nr; i++) {
		text.len = 0;
		code_function_print(&b->function, &b->names.symbols, i, &text);
		if (text.len)
			take_constants(text.data, constant, &nr);
	}
	buf_free(&text);
	return nr;
}

/* --- what a try reached --- */

static void add_context(struct explore *x, const char *text, struct features *reached)
{
	uint32_t i;

	for (i = 0; i < x->nr_contexts; i++)
		if (!strcmp(x->context[i], text))
			break;
	if (i == EXPLORE_CONTEXTS) {
		x->has_more_contexts = true;
		return;
	}
	if (i == x->nr_contexts) {
		x->context = mem_grow(x->context, &x->context_room, i + 1, sizeof(*x->context));
		x->context[i] = arena_copy(&x->texts, text, strlen(text));
		x->nr_contexts++;
	}
	features_add(reached, x->blocks.graph.nr + i);
}

/* Counts that follow from others are right only if all these fit together. */
static void take_counts(struct explore *x, const struct blocks_run *run, struct features *reached)
{
	uint32_t i;

	for (i = 0; i < x->blocks.graph.nr; i++) {
		uint64_t count = run->flow.node[i];

		if (x->blocks.counted[i])
			count = run->count[i];
		else if (run->flow.wrong)
			count = COUNT_UNKNOWN;
		if (count == COUNT_UNKNOWN)
			x->unknown[i] = true;
		else if (count)
			features_add(reached, i);
	}
	/* Those of the tries, not of what is run again to see whether it is enough. */
	if (run->calls != COUNT_UNKNOWN && !x->chosen)
		x->calls += run->calls;
	if (*run->context)
		add_context(x, run->context, reached);
}

static int take_interval(struct run *r, struct features *reached)
{
	struct blocks_runs runs = { .nr = 0 };
	struct lat_table t;
	struct data view;
	size_t i;
	int ret = snapshots_step(&r->snapshots, &t, &view);

	if (!ret && !blocks_take(&runs, &r->x->blocks, &t))
		ret = msg_error("somebody else added targets: not all counts are of blocks");
	for (i = 0; !ret && i < runs.nr; i++)
		take_counts(r->x, &runs.run[i], reached);
	blocks_runs_free(&runs);
	lat_free(&t);
	return ret;
}

/* --- a try --- */

/* Wait for the command. */
static int wait_for_end(const struct run *r, struct until *until, bool *is_late)
{
	uint64_t end = until_deadline(record_now_ns(), r->x->duration), now;

	*is_late = false;
	while (!until_is_over(until)) {
		now = record_now_ns();
		*is_late = now >= end;
		if (*is_late)
			break;
		if (until_sleep(until, end - now))
			return EXIT_ERROR;
	}
	return EXIT_OK;
}

static int start(struct run *r, char **command)
{
	static const struct opt_list no_pids;
	const struct explore *x = r->x;
	struct measurement *s = &r->measurement;

	s->name = *command;
	s->command = (struct command){ .apart = true };
	if (command_start(&s->command, command, &s->until.old_signals) ||
	    until_process(&s->until, s->command.pid) ||
	    measurement_filter(s, &no_pids, x->all, x->comm, x->cpus, x->own))
		return EXIT_ERROR;
	return measurement_start(s, x->duration);
}

/* Run the command with these values. What it reached is added to @reached. */
static int run_try(struct run *r, const int64_t *value, struct features *reached, int *status,
		   bool *is_late)
{
	struct measurement *s = &r->measurement;
	char **command = holes_fill(&r->x->holes, value);
	int ret = start(r, command);

	if (!ret)
		ret = wait_for_end(r, &s->until, is_late);
	r->x->is_interrupted = until_is_interrupted(&s->until);
	if (setup_set(&s->setup, "enable", "0"))
		ret = EXIT_ERROR;
	*status = command_end(&s->command, s->name, &s->until);
	if (ret && (*status == EXIT_NOT_FOUND || *status == EXIT_NOT_RUN))
		r->x->status = *status;
	until_forget_processes(&s->until);
	holes_free_command(command);
	return ret ? ret : take_interval(r, reached);
}

/* Is there nothing left that could be reached? */
static bool is_done(const struct explore *x)
{
	uint32_t i;

	if (*x->keys)
		return false;
	for (i = 0; i < x->blocks.graph.nr; i++)
		if (!explore_reached(x, i))
			return false;
	return true;
}

static int run_tries(struct run *r)
{
	struct explore *x = r->x;
	const int64_t *value;
	int ret = EXIT_OK;

	while (!ret && !is_done(x) && (value = search_next(&x->search)) != NULL) {
		struct features reached = { .nr_words = 0 };
		bool is_late;
		int status;

		ret = run_try(r, value, &reached, &status, &is_late);
		if (!ret && !x->is_interrupted)
			search_take(&x->search, &reached, status, is_late);
		features_free(&reached);
		if (x->is_interrupted)
			break;
	}
	return ret;
}

/* Some tries are enough. What they reach, they are to reach again. */
static int run_chosen(struct run *r)
{
	struct explore *x = r->x;
	uint32_t *chosen = search_cover(&x->search, &x->nr_chosen), i;
	int ret = EXIT_OK;

	x->chosen = mem_zalloc(x->nr_chosen + 1, sizeof(*x->chosen));
	for (i = 0; i < x->nr_chosen; i++)
		x->chosen[i].nr = chosen[i];
	free(chosen);
	for (i = 0; i < x->nr_chosen && !ret && !x->is_interrupted; i++) {
		struct explore_chosen *c = &x->chosen[i];
		bool is_late;
		int status;

		ret = run_try(r, x->search.tried[c->nr].value, &c->again, &status, &is_late);
		c->is_run = !ret && !x->is_interrupted;
	}
	return ret;
}

/* --- the measurement --- */

static int configure(struct explore *x, struct setup *c)
{
	int64_t constant[CONSTANTS];

	if (setup_set_number(c, "max_rows", x->max_rows) || setup_set(c, "event", "none") ||
	    setup_set(c, "record", "0") || setup_set(c, "idle", "0") ||
	    setup_set(c, "stacks", "none") || blocks_read(&x->blocks))
		return EXIT_ERROR;
	x->unknown = mem_zalloc(x->blocks.graph.nr + 1, sizeof(*x->unknown));
	x->search.holes = &x->holes;
	search_begin(&x->search, constant, find_constants(&x->blocks, constant));
	return blocks_watch(&x->blocks, c, x->keys, true);
}

static int measure(struct run *r)
{
	struct explore *x = r->x;
	struct lat_table t = { .nr = 0 };
	struct buf *text = r->snapshots.result.text;
	int ret = snapshots_begin(&r->snapshots, x->command);

	if (!ret)
		ret = run_tries(r);
	if (!ret)
		ret = run_chosen(r);
	if (!ret)
		ret = snapshots_total(&r->snapshots, &t, LAT_NAME);
	if (!ret)
		account_dropped(&text[DATA_STATS_BEFORE], &text[DATA_STATS], &x->lost);
	lat_free(&t);
	return ret;
}

int explore_run(struct explore *x)
{
	static const struct opt_list no_pids;
	struct run r = { .x = x };
	int ret = EXIT_ERROR;

	if (!measurement_begin(&r.measurement, x->module, (char *[]){ NULL }, &no_pids) &&
	    !configure(x, &r.measurement.setup))
		ret = measure(&r);
	snapshots_free(&r.snapshots);
	if (measurement_end(&r.measurement))
		ret = EXIT_ERROR;
	return ret;
}

void explore_free(struct explore *x)
{
	uint32_t i;

	for (i = 0; i < x->nr_chosen; i++)
		features_free(&x->chosen[i].again);
	search_free(&x->search);
	holes_free(&x->holes);
	blocks_free(&x->blocks);
	arena_free(&x->texts);
	buf_free(&x->lost);
	free(x->chosen);
	free(x->context);
	free(x->unknown);
}

/* --- what it found --- */

uint32_t explore_count_blocks(const struct explore *x, const struct features *set)
{
	uint32_t i, nr = 0;

	for (i = 0; i < x->blocks.graph.nr; i++)
		nr += features_have(set, i);
	return nr;
}

bool explore_leads(const struct explore *x, const struct graph_edge *edge, uint32_t to)
{
	return edge->to == to && edge->from != graph_outside(&x->blocks.graph) &&
	       explore_reached(x, edge->from);
}
