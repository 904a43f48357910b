// SPDX-License-Identifier: GPL-2.0-only
/*
 * explore.c - kprof explore: find values with which a command reaches all of a function
 */
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "explore/explore.h"
#include "lib/msg.h"
#include "record/command.h"

#define TRIES		100
#define SECONDS		10
#define MAX_ROWS	8192

static double duration;
static long max_rows = MAX_ROWS, tries = TRIES, seed = 1;
static bool all, own, json;
static const char *cpus, *comm, *module;
static struct frames_options frames = { .lines = true };

static const struct opt opts[] = {
	{ .name = "tries", .type = OPT_LONG, .value = &tries, .arg = "N",
	  .min = 1, .max = 10000, .help = "how many values to try; default 100" },
	{ .name = "seed", .type = OPT_LONG, .value = &seed, .arg = "N", .min = 0, .max = 1e9,
	  .help = "what the choice of values follows from; default 1" },
	{ .letter = 'd', .name = "duration", .type = OPT_DOUBLE, .value = &duration,
	  .arg = "SECONDS", .min = 0.001, .max = 1e7,
	  .help = "of each try: then COMMAND is ended; default 10" },
	OPTION_ALL(&all),
	OPTION_COMM(&comm),
	OPTION_CPUS(&cpus),
	{ .name = "json", .type = OPT_FLAG, .value = &json, .help = "all of it as JSON" },
	OPTION_INDEX(&frames.index),
	OPTION_MAX_ROWS(&max_rows, "; default 8192"),
	OPTION_OWN(&own),
	OPTION_MODULE(&module),
	{ 0 }
};

static int show(const struct explore *x)
{
	if (!x->search.nr)
		return msg_error("interrupted before the end of the first try");
	if (!x->search.reached.nr_words)
		return msg_error("%s was not called by any of %u tries%s", x->blocks.symbol->name,
				 x->search.nr, x->search.tried[0].status ?
				 "; COMMAND fails: try it by itself" : "");
	(json ? explore_print_json : explore_print_text)(x, stdout);
	if (x->lost.len)
		msg_warn("lost: %s", x->lost.data);
	return x->lost.len ? EXIT_LOST : EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct explore x = { .all = all, .own = own, .comm = comm, .cpus = cpus, .module = module,
			     .max_rows = max_rows, .duration = duration ? duration : SECONDS };
	const char *function = NULL;
	struct buf keys = { 0 };
	char error[256];
	int ret;

	(void)argc;
	x.search.seed = seed;
	x.search.max_tries = tries;
	ret = cpus_check(cpus, "possible");
	if (!ret)
		ret = blocks_take_words(&argv, &function, &keys);
	if (!ret && !*argv)
		ret = msg_usage("no command is given: one with holes, behind --");
	if (!ret && holes_parse(&x.holes, argv, error))
		ret = msg_usage("%s", error);
	if (!ret)
		ret = blocks_find(&x.blocks, function, &frames);
	x.command = argv;
	x.keys = keys.data;
	if (!ret)
		ret = explore_run(&x);
	if (!ret)
		ret = show(&x);
	ret = command_status(ret, x.status);
	explore_free(&x);
	buf_free(&keys);
	return ret;
}

const struct verb verb_explore = {
	.name = "explore",
	.args = "FUNCTION [by=KEY,...] [if=CONDITION] -- COMMAND [ARGUMENT]...",
	.summary = "Find values with which a command reaches all blocks of a function",
	.details =
		"Runs COMMAND again and again with other values in its holes, counts the blocks of\n"
		"FUNCTION in each try, and goes on from values that reached a block, or with keys a\n"
		"context, that none before did. {NAME:FIRST..LAST} is a hole for whole numbers,\n"
		"{NAME:A,B,...} one for texts, and {NAME} has the value of a hole once more. Prints\n"
		"the fewest tries that reach what all have reached, and the blocks that none has.\n"
		"What COMMAND prints is dropped; what it leaves running is ended after each try.\n\n"
		"Examples:\n"
		"  kprof explore vfs_fallocate -- fallocate '{f:-p,-z,-c,-x}' -n -o '{at:0..9}' -l 4096 f\n"
		"  kprof explore ksys_lseek by=comm --tries 500 --seed 7 -- ./seek '{size:1..65536}'\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
