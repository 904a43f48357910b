// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment_run.c - the runs of an experiment: their order, and their commands
 *
 * What changes while the experiment goes on must not be on one side only, so the order of all runs
 * is shuffled. A run's file has its name only when the run has ended well.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/quote.h"
#include "lib/quote.h"
#include "lib/random.h"
#include "trial/experiment.h"
#include "trial/shell.h"

/* --- the order --- */

static void shuffle_sides(struct experiment *e)
{
	uint64_t state = e->seed;
	size_t i, j;

	for (i = 0; i < e->nr_runs; i++)
		e->run[i].side = i % 2 ? DIFF_B : DIFF_A;
	for (i = e->nr_runs - 1; i > 0; i--) {
		enum diff_side side = e->run[i].side;

		j = random_below(&state, i + 1);
		e->run[i].side = e->run[j].side;
		e->run[j].side = side;
	}
}

static bool has_contents(const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_size;
}

void experiment_plan(struct experiment *e, const char *folder)
{
	size_t nr[DIFF_NR_SIDES] = { 0 }, i;

	e->nr_runs = 2 * e->runs;
	e->run = mem_zalloc(e->nr_runs, sizeof(*e->run));
	shuffle_sides(e);
	for (i = 0; i < e->nr_runs; i++) {
		struct experiment_run *run = &e->run[i];
		struct buf path = { 0 };

		run->nr = nr[run->side]++;
		buf_printf(&path, "%s/%c-%zu", folder, 'a' + run->side, run->nr + 1);
		run->path = arena_copy(&e->texts, path.data, path.len);
		run->done = has_contents(run->path);
		run->seconds = -1;
		buf_free(&path);
	}
}

/* --- commands --- */

bool experiment_expand(const struct experiment *e, const struct experiment_run *run,
		       const char *path, const char *command, struct buf *out)
{
	for (; *command; command++) {
		if (*command != '%') {
			buf_add(out, command, 1);
			continue;
		}
		switch (*++command) {
		case 'o':
			quote_add(out, path);
			break;
		case 'r':
			buf_printf(out, "%zu", run->nr + 1);
			break;
		case 's':
			quote_add(out, e->side[run->side].name);
			break;
		case 'f':
			if (!e->function)
				return false;
			quote_add(out, e->function);
			break;
		case 'a':
			buf_printf(out, "%s", e->side[run->side].args);
			break;
		case '%':
			buf_add(out, "%", 1);
			break;
		default:
			return false;
		}
	}
	return true;
}

/* Where a run has its commands, and its file. */
struct trial {
	const struct experiment *e;
	struct experiment_run *run;
	const char *path;	/* to write */
	struct shell *shell;
};

/*
 * Run one command, with its output in the run's log. @stays is as of shell_run(). Returns its exit
 * status as a shell does, or -1 after a message.
 */
static int call(const struct trial *t, const char *command, bool stays)
{
	struct buf text = { 0 }, log = { 0 };
	int status = -1;

	buf_printf(&log, "%s.log", t->run->path);
	buf_printf(&text, "exec </dev/null >>");
	quote_add(&text, log.data);
	buf_printf(&text, " 2>&1\n");
	if (experiment_expand(t->e, t->run, t->path, command, &text))
		status = shell_run(t->shell, text.data, stays);
	else
		msg_error("%s: '%s': after %% comes o, r, s, a or %%", t->e->file, command);
	buf_free(&text);
	buf_free(&log);
	return status;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Set up, run, and tear down in any case. */
static int call_all(const struct trial *t)
{
	const struct experiment_commands *c = &t->e->side[t->run->side].commands;
	int status = 0, after = 0;
	double from = seconds();

	if (c->setup)
		status = call(t, c->setup, false);
	if (!status && !shell_interrupted(t->shell)) {
		status = call(t, c->run, false);
		/* A recording that lost something is one; its comparison says so. */
		if (status == EXIT_LOST)
			status = 0;
	}
	if (c->teardown)
		after = call(t, c->teardown, true);
	t->run->seconds = seconds() - from;
	return after ? after : status;
}

/* Take the file of a run, if it is whole. */
static int take(struct experiment_run *run, const char *part)
{
	if (run->status > 0)
		return msg_error("%s: a command ended with %d: see %s.log", run->path, run->status,
				 run->path);
	if (run->status < 0)
		return EXIT_ERROR;
	if (!has_contents(part))
		return msg_error("%s: the commands wrote nothing to %%o: see %s.log", run->path,
				 run->path);
	if (rename(part, run->path))
		return msg_error("%s: %s", run->path, strerror(errno));
	return EXIT_OK;
}

static int run_one(const struct experiment *e, struct experiment_run *run, struct shell *shell)
{
	struct buf part = { 0 };
	int ret, sig;

	buf_printf(&part, "%s.part", run->path);
	remove(part.data);
	run->status = call_all(&(struct trial){ e, run, part.data, shell });
	sig = shell_interrupted(shell);
	if (sig) {
		msg_error("%s: interrupted by signal %d (%s), so this run does not count; "
			  "--continue goes on with it", run->path, sig, strsignal(sig));
		ret = 128 + sig;
	} else {
		ret = take(run, part.data);
	}
	if (ret)
		remove(part.data);
	run->done = ret == EXIT_OK;
	buf_free(&part);
	return ret;
}

int experiment_run(struct experiment *e)
{
	struct shell shell;
	int ret = EXIT_OK;
	size_t i;

	shell_begin(&shell);
	for (i = 0; i < e->nr_runs && !ret; i++) {
		struct experiment_run *run = &e->run[i];

		if (run->done)
			continue;
		msg_warn("run %zu of %zu: %s %zu", i + 1, e->nr_runs, e->side[run->side].name,
			 run->nr + 1);
		ret = run_one(e, run, &shell);
	}
	shell_end(&shell);
	return ret;
}

int experiment_run_blocks(const struct experiment *e, enum diff_side side, const char *path,
			  const char *function)
{
	struct experiment_run run = { .side = side };
	struct experiment with = *e;
	struct shell shell;
	int ret;

	with.function = function;
	with.side[side].commands.run = e->side[side].commands.blocks;
	with.text = (struct buf){ 0 };
	with.texts = (struct arena){ 0 };
	run.path = arena_copy(&with.texts, path, strlen(path));
	shell_begin(&shell);
	msg_warn("blocks of %s: %s", function, e->side[side].name);
	ret = run_one(&with, &run, &shell);
	shell_end(&shell);
	arena_free(&with.texts);
	return ret;
}
