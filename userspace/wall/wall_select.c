// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_select.c - the part of the tasks' time that the filters leave: of a time, a stack, a CPU
 */
#include <stdlib.h>

#include "lib/mem.h"
#include "wall/wall.h"

/* What is under way: a task, and what of it is asked about. */
struct selection {
	const struct wall *w;
	const struct tally_query *query;
	uint64_t from, to;
	bool by_samples;	/* of running time, samples tell which part is asked about */
};

static bool cpu_passes(const struct selection *s, uint32_t cpu)
{
	return !s->query->cpus || cpus_has(s->query->cpus, cpu);
}

static bool stacks_pass(const struct selection *s, uint64_t key, bool waits)
{
	const struct kprof_record rec = { .key = key };

	if (!s->query->filter || !s->query->filter->active ||
	    !filter_options_of_stacks(s->query->filter->options))
		return true;
	return key && filter_passes_stacks(s->query->filter, &rec, waits);
}

/* The part of a piece that lies in the time asked for. Returns false if there is none. */
static bool clip(const struct selection *s, struct wall_piece *piece)
{
	if (piece->from < s->from)
		piece->from = s->from;
	if (piece->to > s->to)
		piece->to = s->to;
	return piece->from < piece->to;
}

/* A task that was woken waits for a CPU on account of what it had waited for. */
static uint64_t key_of(const struct wall_task *t, size_t i)
{
	const struct wall_piece *piece = &t->piece[i];

	return piece->key || piece->state != WALL_RUNNABLE || !i ? piece->key : piece[-1].key;
}

/* A task that does not run is in no interrupt. */
static bool wait_passes(const struct selection *s, uint64_t key)
{
	return (s->query->context == TALLY_ANY || s->query->context == KPROF_CTX_TASK) &&
	       stacks_pass(s, key, true);
}

static void select_pieces(const struct selection *s, const struct wall_task *t,
			  struct wall_task *part)
{
	struct wall_piece piece;
	size_t i;

	part->runs = 0;
	for (i = 0; i < t->nr_pieces; i++) {
		piece = t->piece[i];
		if (!clip(s, &piece))
			continue;
		part->elapsed += piece.to - piece.from;
		if (!cpu_passes(s, piece.cpu))
			continue;
		if (piece.state == WALL_RUNNING) {
			part->running += piece.to - piece.from;
			part->runs += i && piece.from == t->piece[i].from;
		} else {
			if (!wait_passes(s, key_of(t, i)))
				continue;
			part->is_shown = true;
		}
		part->piece[part->nr_pieces++] = piece;
	}
}

/* Keep the samples asked for, and the part of the running time that these are of all. */
static void select_running(const struct selection *s, const struct wall_task *t,
			   struct wall_task *part)
{
	uint64_t all = 0, weight = 0;
	size_t i;

	for (i = 0; i < t->nr_ticks; i++) {
		const struct wall_tick *tick = &t->tick[i];

		if (tick->time < s->from || tick->time > s->to ||
		    !cpu_passes(s, KPROF_INFO_CPU(tick->info)))
			continue;
		all += tick->weight;
		if ((s->query->context != TALLY_ANY &&
		     KPROF_INFO_CTX(tick->info) != (uint32_t)s->query->context) ||
		    !stacks_pass(s, tick->key, false))
			continue;
		weight += tick->weight;
		part->tick[part->nr_ticks++] = *tick;
	}
	if (s->by_samples)
		part->running = all ? wall_share(part->running, weight, all) : 0;
}

static bool task_passes(const struct selection *s, const struct wall_task *t)
{
	const struct kprof_record rec = { .pid = t->pid, .key = t->key };

	return !s->query->filter || filter_passes_task(s->query->filter, &rec);
}

static void select_task(const struct selection *s, const struct wall_task *t,
			struct wall_task *part)
{
	uint64_t runs = t->runs;

	*part = (struct wall_task){ .pid = t->pid, .key = t->key };
	if (!t->nr_pieces || !task_passes(s, t))
		return;
	part->piece = mem_zalloc(t->nr_pieces, sizeof(*part->piece));
	part->tick = mem_zalloc(t->nr_ticks, sizeof(*part->tick));
	select_pieces(s, t, part);
	/* A run that took no time has no piece, and is one nevertheless. */
	if (part->nr_pieces == t->nr_pieces && part->piece[0].from == t->piece[0].from)
		part->runs = runs;
	select_running(s, t, part);
	part->is_shown |= part->running > 0;
}

void wall_select(struct wall *part, const struct wall *w, const struct tally_query *query)
{
	const struct filter *f = query->filter && query->filter->active ? query->filter : NULL;
	const struct selection s = {
		.w = w, .query = query, .from = f ? f->from : 0, .to = f ? f->to : UINT64_MAX,
		.by_samples = query->context != TALLY_ANY ||
			      (f && filter_options_of_stacks(f->options)),
	};
	size_t i;

	*part = (struct wall){ .data = w->data, .from = w->from, .to = w->to, .nr = w->nr };
	part->task = mem_zalloc(w->nr, sizeof(*part->task));
	for (i = 0; i < w->nr; i++)
		select_task(&s, &w->task[i], &part->task[i]);
}

bool wall_shows_any(const struct wall *part)
{
	size_t i = 0;

	while (i < part->nr && !part->task[i].is_shown)
		i++;
	return i < part->nr;
}
