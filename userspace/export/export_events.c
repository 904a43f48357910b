// SPDX-License-Identifier: GPL-2.0-only
/*
 * export_events.c - the samples and calls of a recording one by one, by source, thread and time
 */
#include <stdlib.h>

#include "data/missed.h"
#include "export/export_events.h"
#include "lib/mem.h"

static void add(struct export_events *e, const struct kprof_record *rec)
{
	e->event = mem_grow(e->event, &e->room, e->nr + 1, sizeof(*e->event));
	e->event[e->nr] = (struct export_event){
		.time = rec->time, .weight = rec->weight, .key = rec->key, .pid = rec->pid,
		.info = rec->info, .order = e->nr,
	};
	e->nr++;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* The idle tasks have one id, and there is one for each CPU. */
static uint32_t idle_cpu(const struct export_event *event)
{
	return event->pid ? 0 : KPROF_INFO_CPU(event->info);
}

static int by_place(const void *va, const void *vb)
{
	const struct export_event *a = va, *b = vb;
	int order = compare(KPROF_KEY_SOURCE(a->key), KPROF_KEY_SOURCE(b->key));

	if (!order)
		order = compare(a->pid, b->pid);
	if (!order)
		order = compare(idle_cpu(a), idle_cpu(b));
	if (!order)
		order = compare(a->time, b->time);
	if (!order)
		order = compare(KPROF_INFO_CPU(a->info), KPROF_INFO_CPU(b->info));
	return order ? order : compare(a->order, b->order);
}

static bool is_late(const struct export_event *event)
{
	return KPROF_INFO_KIND(event->info) == KPROF_REC_LATE;
}

/* What a record of a late sample has in common with the sample. */
#define SAME	(KPROF_INFO_USER | 15u << KPROF_INFO_KIND_SHIFT | 3u << KPROF_INFO_CTX_SHIFT | \
		 ~0u << KPROF_INFO_CPU_SHIFT)
#define LOOK_BACK	4	/* at most so many events of a CPU and a thread are of one moment */

/* The sample that came late; NULL: it was lost, or has less weight. It is as old as the record. */
static struct export_event *find_sample(struct export_events *e, size_t late, uint32_t info)
{
	const struct export_event *of = &e->event[late];
	size_t i;

	for (i = late; i-- > 0 && late - i <= LOOK_BACK;) {
		struct export_event *event = &e->event[i];

		if (event->time == of->time && event->pid == of->pid && event->key == of->key &&
		    !((event->info ^ info) & SAME) && event->weight >= of->weight)
			return event;
	}
	return NULL;
}

/* Give the time that a sample came late by to an event of its own. Returns whether there is one. */
static bool split_late(struct export_events *e, size_t late, const struct data *d,
		       const struct tally_query *query, uint32_t source)
{
	struct export_event *event = &e->event[late], *from;
	struct kprof_record rec = {
		.time = event->time, .weight = event->weight, .key = event->key,
		.pid = event->pid, .info = event->info,
	}, sample, own;

	if (!tally_split_late(&rec, &sample, &own))
		return false;
	if (tally_counts(query, d, source, &sample)) {
		from = find_sample(e, late, sample.info);
		if (!from)
			return false;
		from->weight -= event->weight;
	}
	event->key = own.key;
	event->info = own.info;
	return tally_counts_missed(query, d, source, &own);
}

/* Leave out records of late samples whose time is their function's own. */
static void settle_late(struct export_events *e, const struct data *d,
			const struct tally_query *query, uint32_t source)
{
	size_t i, kept = 0;

	for (i = 0; i < e->nr; i++)
		if (is_late(&e->event[i]) && !split_late(e, i, d, query, source))
			e->event[i].weight = 0;
	for (i = 0; i < e->nr; i++)
		if (!is_late(&e->event[i]) || e->event[i].weight)
			e->event[kept++] = e->event[i];
	e->nr = kept;
}

void export_events_make(struct export_events *e, const struct data *d,
			const struct tally_query *query)
{
	const uint32_t source = query->source ? tally_source(d, query->source) : 0;
	size_t c, i;

	*e = (struct export_events){ 0 };
	for (c = 0; c < d->nr_chunks; c++)
		for (i = 0; i < d->chunk[c].nr; i++) {
			const struct kprof_record *rec = &d->chunk[c].rec[i];

			if (tally_counts(query, d, source, rec) ||
			    KPROF_INFO_KIND(rec->info) == KPROF_REC_LATE)
				add(e, rec);
		}
	if (e->nr)
		qsort(e->event, e->nr, sizeof(*e->event), by_place);
	settle_late(e, d, query, source);
}

size_t export_events_end(const struct export_events *e, size_t from)
{
	size_t end = from;

	while (end < e->nr && e->event[end].pid == e->event[from].pid &&
	       idle_cpu(&e->event[end]) == idle_cpu(&e->event[from]) &&
	       KPROF_KEY_SOURCE(e->event[end].key) == KPROF_KEY_SOURCE(e->event[from].key))
		end++;
	return end;
}

struct tally_row export_event_row(const struct export_event *event)
{
	return (struct tally_row){ .key = event->key, .pid = event->pid, .info = event->info };
}

uint64_t export_event_value(const struct data *d, const struct export_type *type,
			    const struct export_event *event)
{
	const bool is_call = KPROF_INFO_KIND(event->info) == KPROF_REC_CALL;

	if (type->measure == EXPORT_NUMBER)
		return !is_call && !missed_name(event->info);
	return is_call || !data_is_target(d, type->source) ? event->weight : 0;
}

const struct export_type *export_event_type(const struct export_types *types, uint32_t source)
{
	const struct export_type *best = NULL;
	size_t i;

	for (i = 0; i < types->nr; i++)
		if (types->type[i].source == source && types->type[i].measure <= EXPORT_WEIGHT)
			best = &types->type[i];
	return best;
}
