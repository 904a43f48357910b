// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_latency.c - how long the calls of each target took
 */
#include <stdlib.h>

#include "mem.h"
#include "report.h"

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

static size_t calls_of(const struct data *d, uint32_t source, uint64_t *value)
{
	size_t chunk, i, nr = 0;

	for (chunk = 0; chunk < d->nr_chunks; chunk++) {
		const struct kprof_record *rec = d->chunk[chunk].rec;

		for (i = 0; i < d->chunk[chunk].nr; i++)
			if (KPROF_INFO_KIND(rec[i].info) == KPROF_REC_CALL &&
			    KPROF_KEY_SOURCE(rec[i].key) == source)
				value[nr++] = rec[i].weight;
	}
	return nr;
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

size_t report_latencies(const struct data *d, struct report_latency **latency)
{
	uint64_t *value = mem_zalloc(d->nr_records, sizeof(*value));
	size_t calls, nr = 0;
	uint32_t id;

	*latency = mem_zalloc(d->nr_sources, sizeof(**latency));
	for (id = 1; id < d->nr_sources; id++) {
		calls = d->source[id].is_target ? calls_of(d, id, value) : 0;
		if (calls)
			(*latency)[nr++] = summary(d->source[id].name, value, calls);
	}
	free(value);
	return nr;
}
