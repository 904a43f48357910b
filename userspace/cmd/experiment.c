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
#include "lib/plural.h"

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

static int show_command(const struct experiment *e, const struct experiment_run *run,
			const char *path, const char *command)
{
	struct buf text = { 0 };
	int ret = EXIT_ERROR;

	if (experiment_expand(e, run, path, command, &text)) {
		printf("%s\n", text.data ? text.data : "");
		ret = EXIT_OK;
	}
	buf_free(&text);
	return ret;
}

/* The commands that count blocks, of a function that is known only then. */
static int show_blocks(const struct experiment *e)
{
	struct experiment with = *e;
	int side, ret = EXIT_OK;

	with.function = "FUNCTION";
	for (side = 0; side < DIFF_NR_SIDES && !ret; side++) {
		const struct experiment_run run = {
			.side = side, .machine = e->nr_machines ? e->machine[0] : NULL,
		};
		const char *command = e->side[side].commands.blocks;
		struct buf path = { 0 };

		if (!command)
			return EXIT_OK;
		buf_printf(&path, "%s/blocks-FUNCTION-%c", folder, 'a' + side);
		printf("# then, of the function that differs most: %s\n", e->side[side].name);
		ret = show_command(&with, &run, path.data, command);
		buf_free(&path);
	}
	return ret;
}

static int show_plan(const struct experiment *e)
{
	int ret = EXIT_OK;
	size_t i, k;

	if (e->nr_machines)
		printf("# %zu machine%s, side by side; each has its runs one by one, in this order\n",
		       e->nr_machines, plural(e->nr_machines));
	for (i = 0; i < e->nr_runs; i++) {
		const struct experiment_run *run = &e->run[i];
		const struct experiment_commands *c = &e->side[run->side].commands;
		const char *const commands[] = { c->setup, c->run, c->teardown };

		printf("# %zu: %s %zu%s%s\n", i + 1, e->side[run->side].name, run->nr + 1,
		       run->machine ? " on " : "", run->machine ? run->machine : "");
		for (k = 0; k < 3 && !ret; k++)
			if (commands[k])
				ret = show_command(e, run, run->path, commands[k]);
		if (ret)
			return ret;
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

	if (!ret)
		ret = experiment_check_machines(e, folder);
	if (ret || report_only)
		return ret;
	if (mkdir(folder, 0777) && errno != EEXIST)
		return msg_error("cannot create '%s': %s", folder, strerror(errno));
	ret = experiment_note_machines(e, folder);
	return ret ? ret : experiment_run(e);
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
		"  machines = names of the machines that share the runs, side by side; %m is one's name\n"
		"  blocks = a command that writes what 'kprof blocks --json' says of %f, the function\n"
		"  that differs most\n"
		"In commands %o is the file to write, a recording or folded text, %r the number of\n"
		"the run, %s the name of the side, %m the machine, %% a percent sign.\n\n"
		"DIR gets a-1, b-1 and so on, a log of each, and report.txt, .json and .html.\n\n"
		"Exit status 3: the comparison is there, but a recording lost calls.\n\n"
		"Examples:\n"
		"  kprof experiment --dry-run experiments/init_on_alloc\n"
		"  kprof experiment experiments/init_on_alloc\n",
	.opts = opts,
	.run = run,
};
