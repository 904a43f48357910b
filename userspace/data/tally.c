// SPDX-License-Identifier: GPL-2.0-only
/*
 * tally.c - add up the records of a recording
 */
#include <stdlib.h>
#include <string.h>

#include "data/missed.h"
#include "data/regions.h"
#include "data/tally.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "lib/msg.h"

const char *const tally_contexts[] = { "task", "softirq", "hardirq", "nmi", NULL };

static uint32_t hash(const struct tally_row *row)
{
	/* No sum of them: who makes a recording chooses all of them, and sums can be made equal. */
	return hash_number(row->key,
			   hash_mix((uint64_t)row->pid << 32 | row->info, row->region));
}

static uint32_t find(const struct tally *t, const struct tally_row *like)
{
	uint32_t i;

	if (!t->nr)
		return HASH_FREE;
	hash_each(i, &t->table, hash(like)) {
		const struct tally_row *row = &t->row[hash_at(&t->table, i)];

		if (row->key == like->key && row->pid == like->pid && row->info == like->info &&
		    row->region == like->region)
			break;
	}
	return hash_at(&t->table, i);
}

static struct tally_row *get_row(struct tally *t, const struct tally_row *like)
{
	uint32_t index = find(t, like);
	size_t i;

	if (index != HASH_FREE)
		return &t->row[index];
	t->row = mem_grow(t->row, &t->room, t->nr + 1, sizeof(*t->row));
	if (hash_grow(&t->table, t->nr + 1))
		for (i = 0; i < t->nr; i++)
			hash_put(&t->table, hash(&t->row[i]), i);
	hash_put(&t->table, hash(like), t->nr);
	t->row[t->nr] = *like;
	return &t->row[t->nr++];
}

/* The bits of info that @query distinguishes. User mode always is, as it may have no stack. */
static uint32_t info_mask(const struct tally_query *query)
{
	uint32_t mask = KPROF_INFO_USER;

	if (query->by_context)
		mask |= 3u << KPROF_INFO_CTX_SHIFT;
	if (query->by_cpu)
		mask |= ~0u << KPROF_INFO_CPU_SHIFT;
	return mask;
}

static void count_along(struct tally_row *row, const struct kprof_record *rec,
			const struct kprof_along *along)
{
	int i;

	row->count[0] += rec->weight;
	for (i = 0; i < KPROF_MAX_ALONG; i++)
		row->count[1 + i] += along->along[i];
}

/* The row that counts a record, still empty. */
static struct tally_row row_of(const struct data *d, const struct tally_query *query,
			       const struct kprof_record *rec)
{
	return (struct tally_row){
		.key = rec->key, .pid = query->by_pid ? rec->pid : 0,
		.info = rec->info & info_mask(query),
		.region = query->by_region ? regions_at(d, rec->pid, rec->time) : 0,
	};
}

static void count(struct tally *t, const struct data *d, const struct tally_query *query,
		  const struct kprof_record *rec, const struct kprof_along *along)
{
	struct tally_row like = row_of(d, query, rec), *row = get_row(t, &like);
	bool call = KPROF_INFO_KIND(rec->info) == KPROF_REC_CALL;

	if (along)
		count_along(row, rec, along);

	if (!call) {
		row->samples++;
		t->samples++;
	}
	if (call || !data_is_target(d, KPROF_KEY_SOURCE(rec->key))) {
		row->ns += rec->weight;
		t->ns += rec->weight;
	}
}

bool tally_is_there(const struct tally_query *query, const struct kprof_record *rec)
{
	return (!query->cpus || cpus_has(query->cpus, KPROF_INFO_CPU(rec->info))) &&
	       (query->context == TALLY_ANY ||
		KPROF_INFO_CTX(rec->info) == (uint32_t)query->context) &&
	       (!query->filter || filter_passes(query->filter, rec));
}

/* Is it of a source that counts? */
static bool is_of(const struct tally_query *query, const struct data *d, uint32_t source,
		  const struct kprof_record *rec)
{
	uint32_t id = KPROF_KEY_SOURCE(rec->key);

	return (!source || id == source) && (!query->without || id != query->without) &&
	       !(query->samples_only && data_is_target(d, id));
}

bool tally_wants(const struct tally_query *query, uint32_t source,
		 const struct kprof_record *rec)
{
	return !data_is_addition(rec) &&
	       (!source || KPROF_KEY_SOURCE(rec->key) == source) &&
	       tally_is_there(query, rec);
}

bool tally_counts(const struct tally_query *query, const struct data *d, uint32_t source,
		  const struct kprof_record *rec)
{
	return tally_wants(query, source, rec) && is_of(query, d, source, rec);
}

bool tally_counts_missed(const struct tally_query *query, const struct data *d, uint32_t source,
			 const struct kprof_record *own)
{
	return is_of(query, d, source, own) && tally_is_there(query, own);
}

/*
 * Take the time that a sample came late by from its row. Returns false if that row does not have so
 * much: then the sample was lost.
 */
static bool take_late(struct tally *t, const struct data *d, const struct tally_query *query,
		      const struct kprof_record *sample, uint64_t late, bool is_missed)
{
	struct tally_row like = row_of(d, query, sample);
	uint32_t index = find(t, &like);

	if (index == HASH_FREE || t->row[index].ns - t->row[index].late < late)
		return false;
	if (is_missed)
		t->row[index].ns -= late;
	else
		t->row[index].late += late;
	return true;
}

uint32_t tally_split_late(const struct kprof_record *late, struct kprof_record *sample,
			  struct kprof_record *own)
{
	const uint32_t missed = missed_row(late);

	*sample = *late;
	sample->info &= ~(15u << KPROF_INFO_KIND_SHIFT | 3u << KPROF_INFO_CAUSE_SHIFT);
	*own = *sample;
	own->key &= ~0ull << KPROF_TASK_SHIFT;	/* without the stacks */
	own->info = (own->info & ~KPROF_INFO_USER) | missed;
	return missed;
}

/*
 * The time that a sample came late by is in a row of its own, unless it may be the function's. A
 * filter may let the sample pass, or that row, or both.
 */
static void count_late(struct tally *t, const struct data *d, const struct tally_query *query,
		       uint32_t source, const struct kprof_record *late)
{
	struct kprof_record sample, own;
	uint32_t missed = tally_split_late(late, &sample, &own);
	struct tally_row like;

	if (tally_counts(query, d, source, &sample)) {
		if (!take_late(t, d, query, &sample, late->weight, missed))
			return;
		t->ns -= missed ? late->weight : 0;
	}
	if (!missed || !tally_counts_missed(query, d, source, &own))
		return;
	like = row_of(d, query, &own);
	like.info |= missed;
	get_row(t, &like)->ns += late->weight;
	t->ns += late->weight;
}

static void count_sources(struct tally *t)
{
	bool seen[1u << KPROF_SOURCE_BITS] = { false };
	size_t i;

	for (i = 0; i < t->nr; i++) {
		uint32_t source = KPROF_KEY_SOURCE(t->row[i].key);

		t->nr_sources += !seen[source];
		seen[source] = true;
	}
}

uint32_t tally_source(const struct data *d, const char *name)
{
	uint32_t id;

	for (id = 1; id < d->nr_sources; id++)
		if (d->source[id].name && !strcmp(d->source[id].name, name))
			return id;
	return 0;
}

int tally_check_source(const struct data *d, const char *name, const char *path)
{
	if (!name || tally_source(d, name))
		return EXIT_OK;
	return msg_error("--source: '%s' is no source of %s; 'kprof report' lists them", name,
			 path);
}

int tally_make(struct tally *t, const struct data *d, const struct tally_query *query)
{
	uint32_t source = query->source ? tally_source(d, query->source) : 0;
	size_t c, i;

	*t = (struct tally){ 0 };
	if (query->source && !source)
		return -1;
	for (c = 0; c < d->nr_chunks; c++) {
		const struct data_chunk *chunk = &d->chunk[c];

		for (i = 0; i < chunk->nr; i++)
			if (tally_counts(query, d, source, &chunk->rec[i]))
				count(t, d, query, &chunk->rec[i], data_along(d, chunk, i));
			else if (KPROF_INFO_KIND(chunk->rec[i].info) == KPROF_REC_LATE)
				count_late(t, d, query, source, &chunk->rec[i]);
	}
	count_sources(t);
	return 0;
}

/* Counting sort by source, so that the rows of a source are found without searching. */
static void index_sources(struct tally *t)
{
	uint32_t *place;
	size_t i;

	t->first = mem_zalloc((1u << KPROF_SOURCE_BITS) + 1, sizeof(*t->first));
	t->by_source = mem_zalloc(t->nr, sizeof(*t->by_source));
	for (i = 0; i < t->nr; i++)
		t->first[KPROF_KEY_SOURCE(t->row[i].key) + 1]++;
	for (i = 0; i < 1u << KPROF_SOURCE_BITS; i++)
		t->first[i + 1] += t->first[i];
	place = mem_zalloc(1u << KPROF_SOURCE_BITS, sizeof(*place));
	memcpy(place, t->first, (1u << KPROF_SOURCE_BITS) * sizeof(*place));
	for (i = 0; i < t->nr; i++)
		t->by_source[place[KPROF_KEY_SOURCE(t->row[i].key)]++] = i;
	free(place);
}

void tally_part(struct tally *t, struct tally *all, uint32_t source)
{
	uint32_t i;

	*t = (struct tally){ .nr_sources = 1 };
	if (!all->by_source)
		index_sources(all);
	t->nr = all->first[source + 1] - all->first[source];
	t->row = mem_zalloc(t->nr, sizeof(*t->row));
	for (i = 0; i < t->nr; i++) {
		t->row[i] = all->row[all->by_source[all->first[source] + i]];
		t->samples += t->row[i].samples;
		t->ns += t->row[i].ns;
	}
}

void tally_free(struct tally *t)
{
	free(t->row);
	free(t->by_source);
	free(t->first);
	hash_free(&t->table);
}
