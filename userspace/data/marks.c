// SPDX-License-Identifier: GPL-2.0-only
/*
 * marks.c - the part of a recording that its program asked for, by kprof_start() and kprof_stop()
 *
 * Each call is a record of its own. As the records of several CPUs are not in the order of time,
 * marks are gathered from all of them first. Then what is outside is removed from the chunks, so
 * that nobody who reads the recording has to know of it, and counted for the account.
 *
 * No record tells the process of its thread, so the switch is one for the whole recording.
 */
#include <stdlib.h>
#include <string.h>

#include "data/marks.h"
#include "data/regions.h"
#include "data/tally.h"
#include "lib/mem.h"

#define NR_SOURCES	(1u << KPROF_SOURCE_BITS)

/* From here on it is started, or stopped. */
struct mark {
	uint64_t time;
	bool is_start;
};

struct marks {
	struct mark *mark;	/* by time */
	size_t nr, room;
	uint32_t start, stop, regions;	/* ids of sources; 0: none */
	uint64_t starts;
	uint64_t left_out[NR_SOURCES], taken[NR_SOURCES];	/* samples, by source */
	uint64_t all_left_out;
};

static bool is_mark(const struct marks *m, const struct kprof_record *rec)
{
	uint32_t source = KPROF_KEY_SOURCE(rec->key);

	return !data_is_addition(rec) && (source == m->start || source == m->stop);
}

static void gather(struct marks *m, const struct data *d)
{
	size_t c, i;

	for (c = 0; c < d->nr_chunks; c++)
		for (i = 0; i < d->chunk[c].nr; i++) {
			const struct kprof_record *rec = &d->chunk[c].rec[i];
			bool is_start = KPROF_KEY_SOURCE(rec->key) == m->start;

			if (!is_mark(m, rec))
				continue;
			m->mark = mem_grow(m->mark, &m->room, m->nr + 1, sizeof(*m->mark));
			m->mark[m->nr++] = (struct mark){ rec->time, is_start };
			m->starts += is_start;
		}
}

/* Of two at one time the start is the last. */
static int by_time(const void *va, const void *vb)
{
	const struct mark *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->is_start - b->is_start;
}

/* The last mark until then says so. */
static bool is_started(const struct marks *m, uint64_t time)
{
	size_t low = 0, high = m->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->mark[mid].time <= time)
			low = mid + 1;
		else
			high = mid;
	}
	return low && m->mark[low - 1].is_start;
}

/* Regions stay, wherever they end: they are what samples are looked up in. */
static bool is_kept(const struct marks *m, const struct kprof_record *rec)
{
	return (m->regions && KPROF_KEY_SOURCE(rec->key) == m->regions) ||
	       is_started(m, rec->time);
}

static void count(struct marks *m, const struct kprof_record *rec)
{
	uint32_t source = KPROF_KEY_SOURCE(rec->key);

	if (is_mark(m, rec)) {
		m->taken[source]++;
	} else if (KPROF_INFO_KIND(rec->info) == KPROF_REC_SAMPLE) {
		m->left_out[source]++;
		m->all_left_out++;
	}
}

/* An addition goes with the record before it, which may be in another chunk of its CPU. */
static void remove_outside(struct marks *m, struct data *d)
{
	bool *keeps = mem_zalloc(d->nr_cpus, sizeof(*keeps));
	size_t c, i, nr;

	for (c = 0; c < d->nr_chunks; c++) {
		struct data_chunk *chunk = &d->chunk[c];
		/* The reader's own copy of the file: see d->payload. */
		struct kprof_record *rec = (struct kprof_record *)chunk->rec;
		bool *keep = &keeps[chunk->cpu];

		for (i = 0, nr = 0; i < chunk->nr; i++) {
			/* It comes later than its sample, whose time it has. */
			if (KPROF_INFO_KIND(rec[i].info) == KPROF_REC_LATE) {
				if (is_kept(m, &rec[i]))
					rec[nr++] = rec[i];
				continue;
			}
			if (!data_is_addition(&rec[i])) {
				*keep = !is_mark(m, &rec[i]) && is_kept(m, &rec[i]);
				if (!*keep)
					count(m, &rec[i]);
			}
			if (*keep)
				rec[nr++] = rec[i];
		}
		d->nr_records -= chunk->nr - nr;
		chunk->nr = nr;
	}
	free(keeps);
}

void marks_apply(struct data *d)
{
	uint32_t start = tally_source(d, MARKS_START), stop = tally_source(d, MARKS_STOP);
	struct marks *m;

	if (!start || !stop)
		return;
	m = mem_zalloc(1, sizeof(*m));
	m->start = start;
	m->stop = stop;
	m->regions = tally_source(d, REGIONS_SOURCE);
	d->marks = m;
	gather(m, d);
	if (m->nr)
		qsort(m->mark, m->nr, sizeof(*m->mark), by_time);
	remove_outside(m, d);
}

void marks_free(struct data *d)
{
	if (!d->marks)
		return;
	free(d->marks->mark);
	free(d->marks);
	d->marks = NULL;
}

bool marks_are_there(const struct data *d)
{
	return d->marks;
}

uint64_t marks_starts(const struct data *d)
{
	return d->marks ? d->marks->starts : 0;
}

uint64_t marks_left_out(const struct data *d, uint32_t source)
{
	return d->marks ? d->marks->left_out[source] : 0;
}

uint64_t marks_all_left_out(const struct data *d)
{
	return d->marks ? d->marks->all_left_out : 0;
}

uint64_t marks_taken(const struct data *d, uint32_t source)
{
	return d->marks ? d->marks->taken[source] : 0;
}
