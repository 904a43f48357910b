// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_fold.c - the wall-clock time of tasks as folded stacks: what they ran and where they waited
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/about.h"
#include "data/account.h"
#include "data/cgroups.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/pid.h"
#include "wall/wall.h"

static void add_stacks(const struct wall *w, uint64_t key, uint32_t info,
		       const struct data_fold_options *options, struct data_frames *f)
{
	struct tally_row row = { .key = key, .info = info };

	data_frames_add_stacks(f, w->data, &row, options);
}

static void add_state(const struct wall_piece *piece, struct data_frames *f)
{
	struct buf name = { 0 };

	buf_printf(&name, "[");
	wall_add_state(piece, &name);
	buf_printf(&name, "]");
	data_frames_add_made(f, &name);
}

/* A piece: its state and its stack. */
static void add_piece(const struct wall *w, const struct wall_piece *piece,
		      const struct data_fold_options *options, struct data_frames *f)
{
	add_state(piece, f);
	if (piece->key)
		add_stacks(w, piece->key, 0, options, f);
}

/* Distribute the running time over the samples, without losing any time to rounding. */
static void fold_running(const struct wall *w, const struct wall_task *t,
			 const struct data_fold_options *options, struct data_frames *f,
			 struct folded *out)
{
	static const struct wall_piece running = { .state = WALL_RUNNING };
	const struct data_frames_mark mark = data_frames_mark(f);
	uint64_t ns = t->running, weight = 0, so_far = 0, given = 0;
	size_t i;

	for (i = 0; i < t->nr_ticks; i++)
		weight += t->tick[i].weight;
	for (i = 0; i < t->nr_ticks && weight; i++) {
		const struct wall_tick *tick = &t->tick[i];
		uint64_t up_to;

		so_far += tick->weight;
		up_to = wall_share(ns, so_far, weight);
		/* An interrupt is shown apart from what the task did itself. */
		if (KPROF_INFO_CTX(tick->info) == KPROF_CTX_TASK)
			add_state(&running, f);
		else
			data_frames_add(f, "[interrupted]");
		add_stacks(w, tick->key, tick->info, options, f);
		if (up_to > given)
			folded_add(out, f->frame, f->nr, up_to - given);
		given = up_to;
		data_frames_cut(f, mark);
	}
	if (ns > given) {
		add_state(&running, f);
		data_frames_add(f, "[not sampled]");
		folded_add(out, f->frame, f->nr, ns - given);
		data_frames_cut(f, mark);
	}
}

/* Where the stacks of a task go. */
struct folding {
	const struct wall *w;
	const struct data_fold_options *options;
	struct data_frames *f;	/* begins with the task's name */
	struct folded *out;
};

static void add_link(const struct folding *to, const struct wall_link *link)
{
	if (link->before) {
		add_link(to, link->before);
		data_frames_add(to->f, "--");
		data_frames_add(to->f, link->who);
	}
	if (link->piece)
		add_piece(to->w, link->piece, to->options, to->f);
	else if (link->why)
		data_frames_add(to->f, link->why);
}

static void fold_chain(const struct wall_link *last, void *arg)
{
	const struct folding *to = arg;
	const struct data_frames_mark mark = data_frames_mark(to->f);

	add_link(to, last);
	folded_add(to->out, to->f->frame, to->f->nr, last->to - last->from);
	data_frames_cut(to->f, mark);
}

static void fold_waiting(struct folding *to, const struct wall_task *t,
			 const struct wall_piece *piece, bool chain)
{
	const struct wall_link alone = { .piece = piece, .from = piece->from, .to = piece->to };

	if (chain && wall_is_blocked(piece))
		wall_chain(to->w, t, piece, fold_chain, to);
	else
		fold_chain(&alone, to);
}

static void fold_task(const struct wall *w, const struct wall_task *t,
		      const struct data_fold_options *options, bool chain, struct folded *out)
{
	struct data_frames f = { 0 };
	struct folding to = { w, options, &f, out };
	struct buf name = { 0 };
	char pid[PID_TEXT];
	size_t i;

	if (options->by_cgroup)
		data_frames_add_cgroup(&f, w->data, KPROF_KEY_TASK(t->key));
	buf_printf(&name, "%s", wall_task_name(w, t));
	if (options->query.by_pid)
		buf_printf(&name, "-%s", pid_text(t->pid, pid));
	data_frames_add_made(&f, &name);
	fold_running(w, t, options, &f, out);
	for (i = 0; i < t->nr_pieces; i++)
		if (t->piece[i].state != WALL_RUNNING)
			fold_waiting(&to, t, &t->piece[i], chain);
	data_frames_free(&f);
}

static void fold_tasks(const struct wall *w, const struct data_fold_options *options,
		       struct filter *filter, bool chain, struct folded *out)
{
	struct tally_query query = options->query;
	struct wall part;
	size_t i;

	query.filter = filter;
	wall_select(&part, w, &query);
	for (i = 0; i < part.nr; i++)
		if (part.task[i].is_shown)
			fold_task(w, &part.task[i], options, chain, out);
	wall_free(&part);
}

static int fold_data(struct data *d, const char *path, const struct data_fold_options *options,
		     bool chain, struct folded *out)
{
	struct filter filter = { 0 };
	struct wall w = { 0 };
	int ret = EXIT_OK;

	if (options->empty)
		empty_note(options->empty, d);
	if (options->frames)
		ret = frames_open(d, options->frames, path);
	if (!ret && options->filter)
		ret = filter_open(&filter, d, options->filter, path);
	if (!ret && options->by_cgroup)
		ret = cgroups_check(d, path);
	if (!ret)
		ret = wall_make(&w, d, path);
	if (!ret)
		about_recording(d, options->title, options->about);
	if (!ret && options->about)
		buf_printf(options->about, "%swidth: time of each task, running or not",
			   options->about->len ? ", " : "");
	if (!ret)
		fold_tasks(&w, options, options->filter ? &filter : NULL, chain, out);
	wall_free(&w);
	if (options->filter)
		filter_close(&filter);
	return ret ? ret : account_warn(d, path);
}

int wall_fold_file(const char *path, const struct data_fold_options *options, bool chain,
		   struct folded *out)
{
	struct data d;
	int ret;

	if (options->unit)
		snprintf(options->unit->name, sizeof(options->unit->name), "ns");
	if (data_open(&d, path))
		ret = msg_error("%s: %s", path, d.error);
	else
		ret = fold_data(&d, path, options, chain, out);
	data_close(&d);
	return ret;
}
