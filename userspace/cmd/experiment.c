// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment.c - kprof experiment: run a described comparison of two sides, and report it
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/verbs.h"
#include "trial/experiment.h"
#include "lib/msg.h"

static const char *folder;
static bool plan_only, go_on, report_only;

static const struct opt opts[] = {
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &folder, .arg = "DIR",
	  .help = "where runs and reports go; default: FILE.runs" },
	{ .name = "continue", .type = OPT_FLAG, .value = &go_on,
	  .help = "run only what DIR does not have yet" },
	{ .name = "report-only", .type = OPT_FLAG, .value = &report_only,
	  .help = "run nothing: report what DIR has" },
	{ .name = "dry-run", .type = OPT_FLAG, .value = &plan_only,
	  .help = "show the order and the commands, and run nothing" },
	{ 0 }
};

/* The commands that count blocks, of a function that is known only then. */
static int show_blocks(const struct experiment *e)
{
	struct experiment with = *e;
	int side, ret = EXIT_OK;

	with.function = "FUNCTION";
	for (side = 0; side < DIFF_NR_SIDES && !ret; side++) {
		const struct experiment_run run = { .side = side };
		const char *command = e->side[side].commands.blocks;
		struct buf path = { 0 }, text = { 0 };

		if (!command)
			return EXIT_OK;
		buf_printf(&path, "%s/blocks-FUNCTION-%c", folder, 'a' + side);
		if (experiment_expand(&with, &run, path.data, command, &text))
			printf("# then, of the function that differs most: %s\n%s\n",
			       e->side[side].name, text.data);
		else
			ret = msg_error("%s: '%s': after %% comes o, r, s, a, f or %%", e->file,
					command);
		buf_free(&path);
		buf_free(&text);
	}
	return ret;
}

static int show_plan(const struct experiment *e)
{
	size_t i;

	for (i = 0; i < e->nr_runs; i++) {
		const struct experiment_run *run = &e->run[i];
		const struct experiment_commands *c = &e->side[run->side].commands;
		const char *const commands[] = { c->setup, c->run, c->teardown };
		size_t k;

		printf("# %zu: %s %zu\n", i + 1, e->side[run->side].name, run->nr + 1);
		for (k = 0; k < 3; k++) {
			struct buf text = { 0 };

			if (!commands[k])
				continue;
			if (!experiment_expand(e, run, run->path, commands[k], &text))
				return msg_error("%s: '%s': after %% comes o, r, s, a or %%",
						 e->file, commands[k]);
			printf("%s\n", text.data ? text.data : "");
			buf_free(&text);
		}
	}
	return show_blocks(e);
}

/* Refuse to mix runs with those of another time, and to report what is not there. */
static int check_runs(const struct experiment *e)
{
	size_t i;

	for (i = 0; i < e->nr_runs; i++) {
		if (report_only && !e->run[i].done)
			return msg_error("'%s' is not there: it takes all %zu runs; --continue "
					 "runs what is missing", e->run[i].path, e->nr_runs);
		if (!report_only && !go_on && e->run[i].done)
			return msg_error("'%s' is there already: --continue keeps it, "
					 "--output DIR begins anew", e->run[i].path);
	}
	return EXIT_OK;
}

static int run_all(struct experiment *e)
{
	int ret = check_runs(e);

	if (ret || report_only)
		return ret;
	if (mkdir(folder, 0777) && errno != EEXIST)
		return msg_error("cannot create '%s': %s", folder, strerror(errno));
	return experiment_run(e);
}

static int run(int argc, char **argv)
{
	struct buf name = { 0 };
	struct experiment e;
	int ret;

	if (argc != 1)
		return msg_usage("one file that describes an experiment is needed, %d are given",
				 argc);
	if (report_only && go_on)
		return msg_contradiction("--report-only", "--continue");
	ret = experiment_read(&e, argv[0]);
	buf_printf(&name, "%s.runs", argv[0]);
	if (!folder)
		folder = name.data;
	if (ret == EXIT_OK) {
		experiment_plan(&e, folder);
		ret = plan_only ? show_plan(&e) : run_all(&e);
	}
	if (ret == EXIT_OK && !plan_only)
		ret = experiment_report(&e, folder, !report_only);
	experiment_free(&e);
	buf_free(&name);
	return ret;
}

const struct verb verb_experiment = {
	.name = "experiment",
	.args = "FILE",
	.summary = "Run two sides of a described experiment several times, and compare them",
	.details =
		"FILE has lines KEY = VALUE; a line that begins with a space continues the one\n"
		"before it, and # begins a comment:\n"
		"  title = what is compared        runs = 5 (a side)     seed = 1 (of the order)\n"
		"  fdr = 0.05                      threshold = 1 (percent)\n"
		"  setup, run, teardown = commands of the shell; for one side, below [a] or [b],\n"
		"  where name = and args = are its name, and what %a stands for\n"
		"  blocks = a command that writes what 'kprof blocks --json' says of %f, the function\n"
		"  that differs most\n"
		"In commands %o is the file to write, a recording or folded text, %r the number of\n"
		"the run, %s the name of the side, %% a percent sign.\n\n"
		"DIR gets a-1, b-1 and so on, a log of each, and report.txt, .json and .html.\n\n"
		"Exit status 3: the comparison is there, but a recording lost calls.\n\n"
		"Examples:\n"
		"  kprof experiment --dry-run experiments/init_on_alloc\n"
		"  kprof experiment experiments/init_on_alloc\n",
	.opts = opts,
	.run = run,
};
