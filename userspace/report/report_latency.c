// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_latency.c - the latencies of the calls of each target
 */
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "report/report.h"
#include "report/report_print.h"

#define NR_SOURCES	(1u << KPROF_SOURCE_BITS)

static int ascending(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* The smallest value that at least @percent of all values do not exceed. */
static uint64_t percentile(const uint64_t *sorted, size_t nr, unsigned int percent)
{
	size_t rank = (nr * percent + 99) / 100;

	return sorted[rank ? rank - 1 : 0];
}

/* Is this a call that the report is about? CPU and context are those of its return. */
static bool is_wanted(const struct report_output *o, const struct kprof_record *rec)
{
	return KPROF_INFO_KIND(rec->info) == KPROF_REC_CALL &&
	       tally_is_there(o->query, rec);
}

/* The next call that the report is about, of any source. */
static const struct kprof_record *next_call(const struct report_output *o, size_t *chunk,
					    size_t *i)
{
	const struct data *d = o->data;

	for (; *chunk < d->nr_chunks; ++*chunk, *i = 0)
		while (*i < d->chunk[*chunk].nr) {
			const struct kprof_record *rec = &d->chunk[*chunk].rec[(*i)++];

			if (is_wanted(o, rec))
				return rec;
		}
	return NULL;
}

/* The latencies of all calls, grouped by source: those of source id begin at value[first[id]]. */
static uint64_t *sort_by_source(const struct report_output *o, size_t first[NR_SOURCES + 1])
{
	size_t *place = mem_zalloc(NR_SOURCES, sizeof(*place)), chunk, i;
	const struct kprof_record *rec;
	uint64_t *value;

	memset(first, 0, (NR_SOURCES + 1) * sizeof(*first));
	for (chunk = 0, i = 0; (rec = next_call(o, &chunk, &i)); )
		first[KPROF_KEY_SOURCE(rec->key) + 1]++;
	for (i = 0; i < NR_SOURCES; i++)
		first[i + 1] += first[i];
	memcpy(place, first, NR_SOURCES * sizeof(*place));
	value = mem_zalloc(first[NR_SOURCES], sizeof(*value));
	for (chunk = 0, i = 0; (rec = next_call(o, &chunk, &i)); )
		value[place[KPROF_KEY_SOURCE(rec->key)]++] = rec->weight;
	free(place);
	return value;
}

static struct report_latency summary(const char *name, uint64_t *value, size_t nr)
{
	struct report_latency l = { .name = name, .calls = nr };
	size_t i;

	qsort(value, nr, sizeof(*value), ascending);
	for (i = 0; i < nr; i++)
		l.total += value[i];
	l.min = value[0];
	l.p50 = percentile(value, nr, 50);
	l.p90 = percentile(value, nr, 90);
	l.p99 = percentile(value, nr, 99);
	l.max = value[nr - 1];
	return l;
}

static bool is_source_wanted(const struct report_output *o, uint32_t id)
{
	const char *name = o->data->source[id].name;

	return o->data->source[id].is_target && (!o->source || (name && !strcmp(name, o->source)));
}

size_t report_latencies(const struct report_output *o, struct report_latency **latency)
{
	const struct data *d = o->data;
	size_t first[NR_SOURCES + 1], calls, nr = 0;
	uint64_t *value = sort_by_source(o, first);
	uint32_t id;

	*latency = mem_zalloc(d->nr_sources, sizeof(**latency));
	for (id = 1; id < d->nr_sources; id++) {
		calls = is_source_wanted(o, id) ? first[id + 1] - first[id] : 0;
		if (calls)
			(*latency)[nr++] = summary(d->source[id].name, value + first[id], calls);
	}
	free(value);
	return nr;
}
