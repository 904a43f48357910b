// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls.c - kprof calls: what a command calls in its libraries, how often, and for how long
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lat/lat.h"
#include "lib/msg.h"
#include "record/program.h"
#include "record/user_calls.h"
#include "record/user_regions.h"
#include "record/watch.h"

static struct opt_list patterns, pids;
static double duration;
static long max_functions, max_rows;	/* 0: not given */
static bool of_program, of_regions, csv, json, own;
static int sort;
static const char *module;

static const char *const sort_names[] = { "time", "calls", "name", NULL };
static const enum lat_sort sorts[] = { LAT_TOTAL, LAT_CALLS, LAT_NAME };

static const struct opt opts[] = {
	{ .name = "function", .type = OPT_LIST, .value = &patterns, .arg = "PATTERN",
	  .help = "only functions that match this shell pattern; may be\nrepeated" },
	{ .name = "program", .type = OPT_FLAG, .value = &of_program,
	  .help = "the program's own functions, not those of its libraries" },
	{ .name = "regions", .type = OPT_FLAG, .value = &of_regions,
	  .help = "the regions that the program marks by kprof.h" },
	{ .name = "max", .type = OPT_LONG, .value = &max_functions, .arg = "N", .min = 1,
	  .max = 500, .help = "watch no more than N functions; default 256" },
	{ .letter = 's', .name = "sort", .type = OPT_CHOICE, .value = &sort, .arg = "COLUMN",
	  .choices = sort_names, .help = "order of rows: time (the default), calls or name" },
	{ .name = "csv", .type = OPT_FLAG, .value = &csv, .help = "the table of lat, as CSV" },
	{ .name = "json", .type = OPT_FLAG, .value = &json, .help = "the same as JSON" },
	OPTION_DURATION(&duration),
	OPTION_MAX_ROWS(&max_rows, ""),
	OPTION_OWN(&own),
	OPTION_MODULE(&module),
	{ 0 }
};

struct work {
	struct watch watch;	/* the first member: see show() */
	struct user_calls calls;
	struct buf regions;	/* target: the program's regions */
};

static int set_targets(struct watch *watch, struct setup *c)
{
	struct work *w = (struct work *)watch;
	const char *const regions[] = { w->regions.data };

	return w->regions.len ? setup_set_targets(c, regions, 1, false) :
			    user_calls_watch(&w->calls, c);
}

/* A function, or a region, whose name is the row's only key. */
static void print_name(const struct lat_row *row)
{
	const char *at = row->context;
	struct lat_key key;

	if (!of_regions || !lat_next_key(&at, &key))
		puts(row->target);
	else if (key.len > 1 && *key.value == '"')
		printf("%.*s\n", (int)key.len - 2, key.value + 1);
	else
		printf("%.*s\n", (int)key.len, key.value);
}

/* The table of ltrace -c. */
static void print_table(const struct lat_table *t)
{
	uint64_t total = 0, calls = 0;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		total += t->row[i].total;
		calls += t->row[i].calls;
	}
	printf("%% time     seconds  usecs/call     calls %s\n"
	       "------ ----------- ----------- --------- --------------------\n",
	       of_regions ? "region" : "function");
	for (i = 0; i < t->nr; i++) {
		const struct lat_row *row = &t->row[i];

		if (!row->calls)
			continue;
		printf("%6.2f %11.6f %11.0f %9llu ", total ? 100. * row->total / total : 0.,
		       row->total / 1e9, lat_avg(row) / 1e3, (unsigned long long)row->calls);
		print_name(row);
	}
	printf("------ ----------- ----------- --------- --------------------\n"
	       "%6.2f %11.6f             %9llu total\n", total ? 100. : 0., total / 1e9,
	       (unsigned long long)calls);
}

static void show(struct watch *w, const struct data *view, struct lat_table *t)
{
	struct lat_output o = { .out = stdout, .data = view };

	lat_sort(t, w->sort);
	if (csv || json)
		(json ? lat_print_json : lat_print_csv)(&o, t);
	else
		print_table(t);
	fflush(stdout);
}

static int find_functions(struct work *w, const char *command)
{
	struct user_calls_choice choice = {
		.pattern = patterns.item, .nr_patterns = patterns.nr,
		.max = max_functions ? max_functions : 256, .of_program = of_program,
	};
	char *path = program_find(command);
	int ret = EXIT_OK;

	if (!path)
		return msg_error("'%s': no such program in PATH", command);
	if (access(path, R_OK)) {
		ret = msg_error("'%s': %s", path, strerror(errno));
		free(path);
		return ret;
	}
	if (of_regions)
		ret = user_regions_target(path, &w->regions);
	else
		ret = user_calls_find(&w->calls, path, &choice);
	free(path);
	return ret;
}

static int run(int argc, char **argv)
{
	struct work w = { .calls = { .nr = 0 } };
	int ret;

	if (!argc || !**argv)
		return msg_usage("no command is given: what is to be watched?");
	if (csv && json)
		return msg_contradiction("--csv", "--json");
	if (of_regions && (of_program || patterns.nr || max_functions))
		return msg_contradiction("--regions", of_program ? "--program" :
					 patterns.nr ? "--function" : "--max");
	ret = find_functions(&w, *argv);
	if (!ret) {
		w.watch = (struct watch){
			.pids = &pids, .own = own, .module = module, .max_rows = max_rows,
			.duration = duration, .sort = sorts[sort], .idle_too = true,
			.set_targets = set_targets, .show = show,
		};
		ret = watch_run(&w.watch, argv);
		ret = command_status(ret, w.watch.measurement.status);
	}
	user_calls_free(&w.calls);
	buf_free(&w.regions);
	return ret;
}

const struct verb verb_calls = {
	.name = "calls",
	.args = "[--] COMMAND [ARGUMENT]...",
	.summary = "Count and time a command's calls of library functions",
	.details =
		"Runs COMMAND, watches the functions that its program imports from its libraries, in\n"
		"it and in its children, and prints a table as ltrace -c does: the share of the time,\n"
		"seconds, microseconds for each call, calls, function. What cannot be watched without\n"
		"harm, or is too much, is left out, and said. With --regions it is what the program\n"
		"itself marks by kprof_begin() and kprof_end() of kprof.h.\n\n"
		"The exit status is COMMAND's. 3: the table is there, but calls were lost.\n\n"
		"Examples:\n"
		"  kprof calls ls /\n"
		"  kprof calls --function '*alloc' --function free -- make\n"
		"  kprof calls --program ./server\n"
		"  kprof calls --regions ./benchmark\n",
	.opts = opts,
	.run = run,
	.command = true,
};
