// SPDX-License-Identifier: GPL-2.0-only
/*
 * use.c - kprof use: utilisation, saturation and errors of each resource
 */
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/exit.h"
#include "lib/msg.h"
#include "record/kmod.h"
#include "record/watch.h"
#include "use/use.h"

#define ROWS	512	/* enough, as there are few kinds of locks */

static struct {
	const char *root, *module;
	double duration, interval;
	long count;
	bool csv, json;
} options = { .root = "" };

static const struct opt opts[] = {
	OPTION_DURATION(&options.duration),
	{ .letter = 'i', .name = "interval", .type = OPT_DOUBLE, .value = &options.interval,
	  .arg = "SECONDS", .min = 0.01, .max = 1e7,
	  .help = "a table for each interval, not one at the end" },
	{ .name = "interval-count", .type = OPT_LONG, .value = &options.count, .arg = "N",
	  .min = 1, .max = 1e9, .help = "stop after so many intervals" },
	{ .name = "csv", .type = OPT_FLAG, .value = &options.csv, .help = "the table as CSV" },
	{ .name = "json", .type = OPT_FLAG, .value = &options.json,
	  .help = "all of it as JSON, a document for each interval" },
	{ .name = "root", .type = OPT_STRING, .value = &options.root, .arg = "DIR",
	  .help = "look for the system's files below DIR" },
	OPTION_MODULE(&options.module),
	{ 0 }
};

struct use {
	struct watch watch;	/* the first member: see show() */
	struct use_counts before;
	uint64_t open_ns;	/* of waits for locks that had not ended when an interval began */
};

static void begun(struct watch *w)
{
	use_read(&((struct use *)w)->before, options.root);
}

/*
 * For how long tasks waited for locks in an interval in which waits of @ended_ns ended: these may
 * have begun before it, and others have not ended. A wait that is forgotten leaves less than
 * before.
 */
static uint64_t waited(struct use *u, uint64_t ended_ns)
{
	struct buf text = { 0 };
	uint64_t before = u->open_ns;

	if (kmod_read("open", &text))
		msg_warn("waits for locks are counted only where they end");
	else
		u->open_ns = use_open_ns(&text);
	buf_free(&text);
	ended_ns += u->open_ns;
	return ended_ns > before ? ended_ns - before : 0;
}

/* Show an interval. The counts at its end are those at the beginning of the next one. */
static void show(struct watch *w, const struct data *view, struct lat_table *t)
{
	struct use *u = (struct use *)w;
	struct use_rows rows = { 0 };
	struct use_counts after;
	uint64_t lock_ns = 0;
	size_t i;

	(void)view;
	for (i = 0; i < t->nr; i++)
		lock_ns += t->row[i].total;
	lock_ns = waited(u, lock_ns);
	use_read(&after, options.root);
	use_rows(&rows, &u->before, &after, options.root, lock_ns);
	use_print(&rows, options.csv ? USE_CSV : options.json ? USE_JSON : USE_TEXT,
		  (after.ns - u->before.ns) / 1e9);
	use_rows_free(&rows);
	use_counts_free(&u->before);
	u->before = after;
}

static int run(int argc, char **argv)
{
	static const char *const target[] = { "@locks by=$arg2:x32" };
	static const struct opt_list nobody;
	struct use u = { .watch = {
		/* The other resources' figures are of the whole system, with kprof in it, too. */
		.target = target, .nr_targets = 1, .pids = &nobody, .all = true, .own = true,
		.module = options.module, .max_rows = ROWS, .duration = options.duration,
		.interval = options.interval, .count = options.count,
		.begun = begun, .show = show,
	} };
	int ret;

	(void)argc;
	if (*argv && strcmp(*argv, "--"))
		return msg_usage("'%s': a command stands behind --", *argv);
	if (options.csv && options.json)
		return msg_contradiction("--csv", "--json");
	if (options.count && !options.interval)
		return msg_usage("--interval-count needs intervals: give --interval, too");
	ret = watch_run(&u.watch, argv + !!*argv);
	use_counts_free(&u.before);
	return command_status(ret, u.watch.measurement.status);
}

const struct verb verb_use = {
	.name = "use",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show utilisation, saturation and errors of each resource",
	.details =
		"Prints a checklist after the USE method (Gregg): for each CPU, the memory, each disk\n"
		"that was used, and locks, how much of it is in use, how much waits for it, and what\n"
		"fails, of the whole system, each with where the figure comes from. Saturation is an\n"
		"average: 2.00 tasks waiting are two all the time, or twenty for a tenth of it. A \"-\":\n"
		"nothing counts that. What stands out is where to look further, with kprof record, runq,\n"
		"mem, io or locks. It ends with COMMAND, with Ctrl-C, or after --duration. The exit\n"
		"status is COMMAND's. 3: the table is there, but some waits for locks were lost.\n\n"
		"Examples:\n"
		"  kprof use -d 10\n"
		"  kprof use -i 1 -- make\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
