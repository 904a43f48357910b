// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment_run.c - the runs of an experiment: their commands, and the machines that take turns
 *
 * Each machine has one run at a time, and each run one command at a time. A run's file has its name
 * only when the run has ended well.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/quote.h"
#include "trial/experiment.h"
#include "trial/shell.h"

/* --- commands --- */

bool experiment_has(const char *command, char placeholder)
{
	while ((command = strchr(command, '%')) != NULL) {
		if (command[1] == placeholder)
			return true;
		command += command[1] ? 2 : 1;
	}
	return false;
}

/* Append what a placeholder stands for. Returns false if there is none of that letter. */
static bool replace(const struct experiment *e, const struct experiment_run *run, const char *path,
		    char placeholder, struct buf *out)
{
	const struct experiment_side *side = &e->side[run->side];
	const char *text = placeholder == 'o' ? path : placeholder == 's' ? side->name :
			   placeholder == 'f' ? e->function :
			   placeholder == 'm' ? run->machine : NULL;

	if (text)
		quote_add(out, text);
	else if (placeholder == 'r')
		buf_printf(out, "%zu", run->nr + 1);
	else if (placeholder == 'a')
		buf_printf(out, "%s", side->args);
	else if (placeholder == '%')
		buf_add(out, "%", 1);
	else
		return false;
	return true;
}

bool experiment_expand(const struct experiment *e, const struct experiment_run *run,
		       const char *path, const char *command, struct buf *out)
{
	const char *at;

	for (at = command; *at; at++) {
		if (*at != '%') {
			buf_add(out, at, 1);
		} else if (!replace(e, run, path, *++at, out)) {
			msg_error("%s: '%s': after %% comes o, r, s, a%s%s or %%%s", e->file,
				  command, run->machine ? ", m" : "", e->function ? ", f" : "",
				  *at == 'm' ? "; m takes machines = NAME ..." : "");
			return false;
		}
	}
	return true;
}

/* --- one run --- */

enum step { SETUP, RUN, TEARDOWN, NR_STEPS };

/* A machine at work. */
struct worker {
	struct shell_job job;	/* first: shell_wait() returns it */
	const struct experiment *e;
	struct shell *shell;
	size_t next;		/* run that may be its next */
	struct experiment_run *run;	/* that is under way, or NULL; and of it: */
	struct buf part;	/* the file to write */
	enum step step;		/* its command that runs, or ended last */
	int status[NR_STEPS];
	double from;
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Start a command, with its output in the run's log. Returns false after a message. */
static bool start(struct worker *w, const char *command)
{
	struct buf text = { 0 }, log = { 0 };
	bool started;

	buf_printf(&log, "%s.log", w->run->path);
	buf_printf(&text, "exec </dev/null >>");
	quote_add(&text, log.data);
	buf_printf(&text, " 2>&1\n");
	started = experiment_expand(w->e, w->run, w->part.data, command, &text) &&
		  shell_start(w->shell, &w->job, text.data, w->step == TEARDOWN);
	buf_free(&text);
	buf_free(&log);
	return started;
}

/* Set up, run, and tear down in any case: start what comes at w->step. False: there is no more. */
static bool start_next(struct worker *w)
{
	const struct experiment_commands *c = &w->e->side[w->run->side].commands;
	const char *const commands[] = { c->setup, c->run, c->teardown };

	for (; w->step < NR_STEPS; w->step++) {
		if (!commands[w->step] ||
		    (w->step == RUN && (w->status[SETUP] || shell_interrupted(w->shell))))
			continue;
		if (start(w, commands[w->step]))
			return true;
		w->status[w->step] = -1;
	}
	return false;
}

static void begin(struct worker *w, struct experiment_run *run)
{
	w->run = run;
	w->step = SETUP;
	memset(w->status, 0, sizeof(w->status));
	w->from = seconds();
	buf_printf(&w->part, "%s.part", run->path);
	remove(w->part.data);
}

/* The command that ran has ended. */
static void end_step(struct worker *w)
{
	/* A recording that lost something is one; its comparison says so. */
	bool is_lost = w->step == RUN && w->job.status == EXIT_LOST;

	w->status[w->step++] = is_lost ? 0 : w->job.status;
}

static bool is_empty(const char *path)
{
	struct stat st;

	return stat(path, &st) || !st.st_size;
}

/* Take the file of a run, if it is whole. */
static int take(struct experiment_run *run, const char *part)
{
	if (run->status > 0)
		return msg_error("%s: a command ended with %d: see %s.log", run->path, run->status,
				 run->path);
	if (run->status < 0)
		return EXIT_ERROR;
	if (is_empty(part))
		return msg_error("%s: the commands wrote nothing to %%o: see %s.log", run->path,
				 run->path);
	if (rename(part, run->path))
		return msg_error("%s: %s", run->path, strerror(errno));
	return EXIT_OK;
}

static int finish(struct worker *w)
{
	struct experiment_run *run = w->run;
	int ret, sig = shell_interrupted(w->shell), step;

	run->seconds = seconds() - w->from;
	run->status = 0;
	for (step = 0; step < NR_STEPS; step++)
		if (w->status[step])
			run->status = w->status[step];
	if (sig) {
		msg_error("%s: interrupted by signal %d (%s), so this run does not count; "
			  "--continue goes on with it", run->path, sig, strsignal(sig));
		ret = 128 + sig;
	} else {
		ret = take(run, w->part.data);
	}
	if (ret)
		remove(w->part.data);
	run->done = ret == EXIT_OK;
	w->run = NULL;
	buf_free(&w->part);
	return ret;
}

/* --- all of them --- */

/* The first run of the machine that is still to be made, or NULL. */
static struct experiment_run *next_run(struct worker *w)
{
	const struct experiment *e = w->e;
	size_t step = e->nr_machines ? e->nr_machines : 1;

	while (w->next < e->nr_runs && e->run[w->next].done)
		w->next += step;
	return w->next < e->nr_runs ? &e->run[w->next] : NULL;
}

static void announce(const struct experiment *e, const struct experiment_run *run)
{
	msg_warn("run %zu of %zu: %s %zu%s%s", (size_t)(run - e->run) + 1, e->nr_runs,
		 e->side[run->side].name, run->nr + 1, run->machine ? " on " : "",
		 run->machine ? run->machine : "");
}

/* Start what comes next on a machine; unless something has failed, of further runs, too. */
static void go_on(struct worker *w, int *ret)
{
	int one;

	for (;;) {
		if (w->run) {
			if (start_next(w))
				return;
			one = finish(w);
			*ret = *ret > EXIT_ERROR || !one ? *ret : one;
		}
		if (*ret || !next_run(w))
			return;
		announce(w->e, next_run(w));
		begin(w, next_run(w));
	}
}

int experiment_run(struct experiment *e)
{
	size_t nr = e->nr_machines ? e->nr_machines : 1, i;
	struct worker *workers = mem_zalloc(nr, sizeof(*workers));
	struct shell_job *job;
	struct shell shell;
	int ret = EXIT_OK;

	shell_begin(&shell);
	for (i = 0; i < nr; i++) {
		workers[i] = (struct worker){ .e = e, .shell = &shell, .next = i };
		go_on(&workers[i], &ret);
	}
	while ((job = shell_wait(&shell)) != NULL) {
		end_step((struct worker *)job);
		go_on((struct worker *)job, &ret);
	}
	shell_end(&shell);
	free(workers);
	return ret;
}

int experiment_run_blocks(const struct experiment *e, enum diff_side side, const char *path,
			  const char *function)
{
	/* Of both sides on one machine. */
	struct experiment_run run = {
		.side = side, .machine = e->nr_machines ? e->machine[0] : NULL,
	};
	struct experiment with = *e;
	struct shell shell;
	struct worker w = { .e = &with, .shell = &shell };
	int ret;

	with.function = function;
	with.side[side].commands.run = e->side[side].commands.blocks;
	with.text = (struct buf){ 0 };
	with.texts = (struct arena){ 0 };
	run.path = arena_copy(&with.texts, path, strlen(path));
	shell_begin(&shell);
	msg_warn("blocks of %s: %s", function, e->side[side].name);
	begin(&w, &run);
	while (start_next(&w)) {
		shell_wait(&shell);
		end_step(&w);
	}
	ret = finish(&w);
	shell_end(&shell);
	arena_free(&with.texts);
	return ret;
}
