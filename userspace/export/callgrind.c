// SPDX-License-Identifier: GPL-2.0-only
/*
 * callgrind.c - a recording as the profile of callgrind, for KCachegrind and callgrind_annotate
 *
 * All of a recording is added up by function and line. Names are compressed, as "(1) name" where
 * they are met first and "(1)" from then on.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/about.h"
#include "export/callgrind_costs.h"
#include "export/export_formats.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/opt.h"

struct callgrind {
	struct callgrind_costs costs;
	bool *has_name, *has_file, *has_module;	/* has been written */
};

/* A name is the rest of a line; readers cut off blanks, and "(" begins a number. */
static void put_name(const char *key, const struct strtab *table, uint32_t id, bool *has)
{
	printf("%s=(%" PRIu32 ")", key, id + 1);
	if (!has[id]) {
		putchar(' ');
		escape_print(table->name[id].text, stdout);
		has[id] = true;
	}
	putchar('\n');
}

static void put_function(struct callgrind *g, const char *prefix, uint32_t id)
{
	const struct callgrind_function *f = &g->costs.function[id];
	char key[8];

	snprintf(key, sizeof(key), "%sob", prefix);
	put_name(key, &g->costs.modules, f->module, g->has_module);
	/* Of a callee a file is "cfi", which is older than "cfl" and known to all. */
	put_name(*prefix ? "cfi" : "fl", &g->costs.files, f->file, g->has_file);
	snprintf(key, sizeof(key), "%sfn", prefix);
	put_name(key, &g->costs.names, f->name, g->has_name);
}

static void put_values(const struct callgrind *g, const struct callgrind_cost *cost)
{
	size_t i;

	printf("%" PRIu32, cost->line);
	for (i = 0; i < g->costs.types->nr; i++)
		printf(" %" PRIu64, cost->value[i]);
	putchar('\n');
}

static void put_costs(struct callgrind *g)
{
	size_t i;

	for (i = 0; i < g->costs.nr; i++) {
		const struct callgrind_cost *cost = &g->costs.cost[i];

		if (!i || cost->function != cost[-1].function) {
			putchar('\n');
			put_function(g, "", cost->function);
		}
		if (cost->callee != CALLGRIND_SELF) {
			put_function(g, "c", cost->callee);
			/* How often it was called is not known, but in how many samples. */
			printf("calls=%" PRIu64 " 0\n", cost->stacks);
		}
		put_values(g, cost);
	}
}

/* The name of an event is a word; readers show its long name. */
static void put_event(const char *name)
{
	for (; *name; name++)
		putchar(strchr(" :=+*", *name) ? '_' : *name);
}

static void put_events(const struct export_types *types)
{
	size_t i;

	for (i = 0; i < types->nr; i++) {
		fputs("event: ", stdout);
		put_event(types->type[i].name);
		printf(" : %s%s\n", types->type[i].name,
		       types->type[i].is_time ? ", nanoseconds" : "");
	}
	fputs("events:", stdout);
	for (i = 0; i < types->nr; i++) {
		putchar(' ');
		put_event(types->type[i].name);
	}
	/* Without an event there is no profile that readers read. */
	puts(types->nr ? "" : " samples");
}

static void put_head(const struct callgrind *g, const struct tally *t)
{
	const struct export_types *types = g->costs.types;
	struct buf title = { 0 }, about = { 0 };
	uint64_t sum;
	size_t i, row;

	about_recording(g->costs.data, &title, &about);
	printf("# callgrind format\nversion: 1\ncreator: kprof\ncmd: %s\n",
	       title.len ? title.data : "");
	if (about.len)
		printf("desc: Recording: %s\n", about.data);
	buf_free(&title);
	buf_free(&about);
	puts("positions: line");
	put_events(types);
	fputs("summary:", stdout);
	for (i = 0; i < types->nr; i++) {
		for (sum = 0, row = 0; row < t->nr; row++)
			sum += export_value(&types->type[i], &t->row[row]);
		printf(" %" PRIu64, sum);
	}
	puts(types->nr ? "" : " 0");
}

static int write_callgrind(struct export *e)
{
	struct export_types types = { 0 };
	struct callgrind g = { .costs = { .data = e->data, .types = &types } };
	struct tally t;
	size_t i;

	export_types_make(&types, e->data, e->query.source);
	if (!tally_make(&t, e->data, &e->query)) {
		e->is_empty = !t.nr;
		for (i = 0; i < t.nr; i++)
			callgrind_costs_add(&g.costs, &t.row[i]);
		callgrind_costs_sort(&g.costs);
		g.has_name = mem_zalloc(g.costs.names.nr, sizeof(bool));
		g.has_file = mem_zalloc(g.costs.files.nr, sizeof(bool));
		g.has_module = mem_zalloc(g.costs.modules.nr, sizeof(bool));
		put_head(&g, &t);
		put_costs(&g);
		tally_free(&t);
	}
	free(g.has_name);
	free(g.has_file);
	free(g.has_module);
	callgrind_costs_free(&g.costs);
	export_types_free(&types);
	return EXIT_OK;
}

const struct export_format export_callgrind = {
	.name = "callgrind",
	.holds = EXPORT_TASKS | EXPORT_COUNTERS | EXPORT_LINES,
	.write = write_callgrind,
};
