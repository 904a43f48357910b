// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks.c - kprof blocks: how often each block of instructions of a function runs
 */
#include <errno.h>
#include <string.h>

#include "blocks/blocks.h"
#include "cmd/blocks.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "lib/msg.h"
#include "lib/output.h"
#include "record/watch.h"

static struct opt_list pids;
static double duration;
static long max_rows;
static bool all, every, with_insns, with_idle, own, json;
static const char *cpus, *comm, *module, *picture;
static struct frames_options frames = { .lines = true };
static FILE *out;	/* NULL: standard output */

static const struct opt opts[] = {
	OPTION_ALL(&all),
	OPTION_PID(&pids),
	OPTION_COMM(&comm),
	OPTION_CPUS(&cpus),
	OPTION_DURATION(&duration),
	{ .name = "every", .type = OPT_FLAG, .value = &every,
	  .help = "count every block, not only as many as are needed;\nslower, and checked" },
	{ .name = "instructions", .type = OPT_FLAG, .value = &with_insns,
	  .help = "the instructions of the blocks, too" },
	{ .name = "idle", .type = OPT_FLAG, .value = &with_idle,
	  .help = "blocks that never ran, too" },
	{ .name = "json", .type = OPT_FLAG, .value = &json, .help = "all of it as JSON" },
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &picture, .arg = "FILE.svg",
	  .help = "draw it, too, as a picture of blocks and what leads where" },
	OPTION_INDEX(&frames.index),
	OPTION_MAX_ROWS(&max_rows, "; default 8192"),
	OPTION_OWN(&own),
	OPTION_MODULE(&module),
	{ 0 }
};

struct work {
	struct watch watch;	/* the first member: see show() */
	struct blocks blocks;
	struct buf keys;	/* " by=KEYS if=CONDITION" */
	FILE *picture;
	bool is_wrong;
};

static int set_targets(struct watch *watch, struct setup *c)
{
	struct work *w = (struct work *)watch;

	if (setup_set(c, "stacks", "none") || blocks_read(&w->blocks))
		return EXIT_ERROR;
	/* Before counting, so that it is not in vain. */
	if (picture && output_is_no_input("--output", picture))
		return EXIT_USAGE;
	w->picture = picture ? fopen(picture, "we") : NULL;
	if (picture && !w->picture)
		return msg_error("--output: cannot create '%s': %s", picture, strerror(errno));
	return blocks_watch(&w->blocks, c, w->keys.data, every);
}

static void show(struct watch *watch, const struct data *view, struct lat_table *t)
{
	struct work *w = (struct work *)watch;
	struct blocks_runs runs = { .nr = 0 };
	struct blocks_output o = {
		.out = out ? out : stdout, .with_insns = with_insns, .with_idle = with_idle,
	};
	struct buf causes = { 0 };

	if (account_dropped(&view->text[DATA_STATS_BEFORE], &view->text[DATA_STATS], &causes))
		o.lost = causes.data;
	o.own = account_growth(&view->text[DATA_STATS_BEFORE], &view->text[DATA_STATS],
			       "dropped_own");
	w->is_wrong = !blocks_take(&runs, &w->blocks, t);
	if (!w->is_wrong)
		(json ? blocks_print_json : blocks_print_text)(&o, &w->blocks, &runs);
	o.out = w->picture;
	if (!w->is_wrong && w->picture)
		blocks_print_svg(&o, &w->blocks, &runs);
	blocks_runs_free(&runs);
	buf_free(&causes);
}

/* Returns @ret, or EXIT_ERROR after a message if it was not written. */
static int close_picture(struct work *w, int ret)
{
	int ended = output_end(w->picture, picture);

	return ended ? ended : ret;
}

static int run(int argc, char **argv)
{
	struct work w = { .blocks = { .nr_counted = 0 } };
	const char *function = NULL;
	int ret;

	(void)argc;
	if (picture && !strcmp(picture, "-"))
		return msg_usage("--output '-': the table goes to standard output: give a file");
	ret = blocks_take_words(&argv, &function, &w.keys);
	if (!ret)
		ret = measurement_check(&pids, all, cpus);
	if (!ret)
		ret = blocks_find(&w.blocks, function, &frames);
	if (!ret) {
		w.watch = (struct watch) {
			.pids = &pids, .all = all, .own = own, .comm = comm,
			.cpus = cpus, .module = module,
			.max_rows = max_rows ? max_rows : 8192, .duration = duration,
			.sort = LAT_NAME, .set_targets = set_targets, .show = show,
		};
		ret = watch_run(&w.watch, argv);
		ret = command_status(ret, w.watch.measurement.status);
	}
	ret = close_picture(&w, ret);
	if (w.is_wrong)
		ret = msg_error("somebody else added targets: not all counts are of blocks");
	blocks_free(&w.blocks);
	buf_free(&w.keys);
	return ret;
}

int blocks_into(FILE *to, int nr, char **word)
{
	int ret;

	out = to;
	ret = opt_run_verb(&verb_blocks, nr, word);
	out = NULL;
	return ret;
}

const struct verb verb_blocks = {
	.name = "blocks",
	.args = "FUNCTION [by=KEY,...] [if=CONDITION] [-- COMMAND [ARGUMENT]...]",
	.summary = "Count how often each block of instructions of a function runs",
	.details =
		"Reads the code of FUNCTION as it is in the running kernel, counts some of its blocks\n"
		"by probes, and finds the others' counts from what leads where. Prints for each block\n"
		"its share of the instructions that the function executed itself, how often it ran, how\n"
		"often for each call, and where it leads to; for the head of a loop, how often the\n"
		"loop turned each time it was entered. With the index that 'kprof index' makes, it is\n"
		"said which inlined function and which line a block is of. A second table has the\n"
		"inlined functions and the loops: instructions of each call, or of each turn, and\n"
		"those that a call takes however often loops turn. Ends with COMMAND, with Ctrl-C, or\n"
		"after --duration.\n\n"
		"Examples:\n"
		"  kprof blocks vfs_read -- cat /etc/passwd\n"
		"  kprof blocks vfs_read -o blocks.svg -- cat /etc/passwd\n"
		"  kprof blocks shuffle_freelist --instructions -a -d 5\n"
		"  kprof blocks do_sys_poll by=comm -a -d 10\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
