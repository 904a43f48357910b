// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_chain.c - follow the chain of wakers: who woke a task, what blocked the waker, and so on
 *
 * A blocked task waits for the task that will wake it. The time is attributed to what the waker
 * does meanwhile: it runs, waits for a CPU, or is blocked itself, by a third task. So the time of
 * the first task is split by the states of its waker, and each part in which the waker is blocked
 * is split by the states of the third task. The parts add up to the time of the first task.
 */
#include <string.h>

#include "wall/wall.h"

#define HOPS_MAX	16	/* the clocks of CPUs may differ enough to make a circle */

/* One hop of the chain: whom to follow, and in which period. */
struct hop {
	const struct wall_waker *waker;
	uint64_t from, to;
	int depth;
};

struct chain {
	const struct wall *w;
	const struct data_fold_options *options;
	struct data_frames *f;
	struct folded *out;
};

static void count(struct chain *c, uint64_t from, uint64_t to)
{
	if (to > from)
		data_frames_count(c->f, c->out, to - from);
}

/* The same with one more frame. */
static void count_as(struct chain *c, const char *name, uint64_t from, uint64_t to)
{
	const struct data_frames_mark mark = data_frames_mark(c->f);

	data_frames_add(c->f, name);
	count(c, from, to);
	data_frames_cut(c->f, mark);
}

/* The first piece that ends after @time. */
static size_t find_piece(const struct wall_task *t, uint64_t time)
{
	size_t low = 0, high = t->nr_pieces;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->piece[middle].to <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void follow(struct chain *c, const struct hop *hop);

/* Add what the waker did in that part of the hop's period that the piece covers. */
static void add_part(struct chain *c, const struct wall_piece *piece, const struct hop *hop)
{
	const struct data_frames_mark mark = data_frames_mark(c->f);
	struct hop next = {
		.waker = &piece->waker, .depth = hop->depth + 1,
		.from = piece->from > hop->from ? piece->from : hop->from,
		.to = piece->to < hop->to ? piece->to : hop->to,
	};

	wall_add_piece(c->w, piece, c->options, c->f);
	if (piece->state >= WALL_IO && next.depth < HOPS_MAX)
		follow(c, &next);
	else
		count(c, next.from, next.to);
	data_frames_cut(c->f, mark);
}

static void follow_task(struct chain *c, const struct wall_task *t, const struct hop *hop)
{
	size_t i = find_piece(t, hop->from);
	uint64_t from = i < t->nr_pieces ? t->piece[i].from : hop->to;
	const struct wall_piece *last = t->nr_pieces ? &t->piece[t->nr_pieces - 1] : NULL;

	if (from > hop->from)
		count_as(c, "[not there yet]", hop->from, from < hop->to ? from : hop->to);
	for (; i < t->nr_pieces && t->piece[i].from < hop->to; i++)
		add_part(c, &t->piece[i], hop);
	if (last && last->to < hop->to && last->to > hop->from)
		count_as(c, "[exiting]", last->to, hop->to);
}

/* A name for a waker that is not one of the tasks: an interrupt, or a task; NULL: not known. */
static const char *outsider(const struct wall_waker *waker)
{
	switch (waker->context) {
	case KPROF_CTX_SOFTIRQ:
		return "[softirq]";
	case KPROF_CTX_HARDIRQ:
		return "[hardirq]";
	case KPROF_CTX_NMI:
		return "[nmi]";
	default:
		return waker->name;
	}
}

static void follow(struct chain *c, const struct hop *hop)
{
	const struct data_frames_mark mark = data_frames_mark(c->f);
	const struct wall_waker *waker = hop->waker;
	const struct wall_task *t;

	if (waker->task == WALL_NOBODY && !outsider(waker)) {
		count(c, hop->from, hop->to);
		return;
	}
	data_frames_add(c->f, "--");
	if (waker->task == WALL_NOBODY) {
		count_as(c, outsider(waker), hop->from, hop->to);
	} else {
		t = &c->w->task[waker->task];
		data_frames_add(c->f, wall_task_name(c->w, t));
		follow_task(c, t, hop);
	}
	data_frames_cut(c->f, mark);
}

void wall_chain(const struct wall *w, const struct wall_piece *piece,
		const struct data_fold_options *options, struct data_frames *f,
		struct folded *out)
{
	struct chain c = { .w = w, .options = options, .f = f, .out = out };
	const struct hop hop = { .waker = &piece->waker, .from = piece->from, .to = piece->to };

	follow(&c, &hop);
}
