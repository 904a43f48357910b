// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_chain.c - follow the chain of wakers: who woke a task, what blocked the waker, and so on
 *
 * A blocked task waits for the task that will wake it. The time is attributed to what the waker
 * does meanwhile: it runs, waits for a CPU, or is blocked itself, by a third task. So the time of
 * the first task is split by the states of its waker, and each part in which the waker is blocked
 * is split by the states of the third task. The parts add up to the time of the first task.
 */
#include "wall/wall.h"

#define HOPS_MAX	16	/* the clocks of CPUs may differ enough to make a circle */

struct chain {
	const struct wall *w;
	wall_end_fn *end;
	void *arg;
};

static void end(const struct chain *c, const struct wall_link *link)
{
	if (link->to > link->from)
		c->end(link, c->arg);
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

/* A link that explains what @before waits for, in the same period. */
static struct wall_link link_after(const struct wall_link *before, const char *who)
{
	return (struct wall_link){
		.before = before, .who = who, .from = before->from, .to = before->to,
		.depth = before->depth + 1,
	};
}

static void follow(const struct chain *c, const struct wall_link *waits);

/* What the waker did in that part of the period that the piece covers. */
static void add_part(const struct chain *c, const struct wall_piece *piece, struct wall_link link)
{
	link.piece = piece;
	if (piece->from > link.from)
		link.from = piece->from;
	if (piece->to < link.to)
		link.to = piece->to;
	if (piece->state >= WALL_IO && link.depth < HOPS_MAX)
		follow(c, &link);
	else
		end(c, &link);
}

/* What the waker did in the whole of the period, piece by piece. */
static void follow_task(const struct chain *c, const struct wall_task *t, struct wall_link link)
{
	struct wall_link absent = link;
	size_t i = find_piece(t, link.from);
	uint64_t from = i < t->nr_pieces ? t->piece[i].from : link.to;
	const struct wall_piece *last = t->nr_pieces ? &t->piece[t->nr_pieces - 1] : NULL;

	if (from > link.from) {
		absent.why = "[not there yet]";
		absent.to = from < link.to ? from : link.to;
		end(c, &absent);
	}
	for (; i < t->nr_pieces && t->piece[i].from < link.to; i++)
		add_part(c, &t->piece[i], link);
	if (last && last->to < link.to && last->to > link.from) {
		link.why = "[exiting]";
		link.from = last->to;
		end(c, &link);
	}
}

/* The name of an interrupt; NULL: it was a task. */
static const char *interrupt(const struct wall_waker *waker)
{
	switch (waker->context) {
	case KPROF_CTX_SOFTIRQ:
		return "[softirq]";
	case KPROF_CTX_HARDIRQ:
		return "[hardirq]";
	case KPROF_CTX_NMI:
		return "[nmi]";
	default:
		return NULL;
	}
}

bool wall_ended_by_interrupt(const struct wall_piece *piece)
{
	return piece->waker.task == WALL_NOBODY && interrupt(&piece->waker);
}

static void follow(const struct chain *c, const struct wall_link *waits)
{
	const struct wall_waker *waker = &waits->piece->waker;
	const struct wall_task *t = waker->task == WALL_NOBODY ? NULL : &c->w->task[waker->task];
	const char *irq = t ? NULL : interrupt(waker);
	struct wall_link link;

	link = link_after(waits, t ? wall_task_name(c->w, t) : irq ? irq : waker->name);
	link.is_irq = irq;
	if (!link.who)
		end(c, waits);
	else if (t)
		follow_task(c, t, link);
	else
		end(c, &link);
}

void wall_chain(const struct wall *w, const struct wall_task *t, const struct wall_piece *piece,
		wall_end_fn *fn, void *arg)
{
	const struct chain c = { .w = w, .end = fn, .arg = arg };
	const struct wall_link first = {
		.who = wall_task_name(w, t), .piece = piece, .from = piece->from, .to = piece->to,
		.depth = 1,
	};

	follow(&c, &first);
}
