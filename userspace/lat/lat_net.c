// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_net.c - subtract the overhead of probes from latencies
 *
 * The module measures the overhead when sampling begins, by repeated calls of an empty function.
 * So it is a lower bound: with cold caches a probe takes longer. The remaining latency is
 * therefore too large rather than too small.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lat/lat.h"

static uint64_t less(uint64_t value, uint64_t off)
{
	return value > off ? value - off : 0;
}

static void take_off(struct lat_row *row, uint64_t off)
{
	uint64_t *const each[] = { &row->min, &row->p50, &row->p90, &row->p99, &row->max };
	uint64_t all;
	size_t i;

	if (__builtin_mul_overflow(row->calls, off, &all))
		all = UINT64_MAX;
	row->total = less(row->total, all);
	row->self = less(row->self, all);
	for (i = 0; i < sizeof(each) / sizeof(*each); i++)
		*each[i] = less(*each[i], off);
	for (i = 0; i < row->nr_buckets; i++) {
		struct lat_bucket *b = &row->bucket[i];

		b->low = less(b->low, off);
		b->high = less(b->high, off);
		b->high = b->high > b->low ? b->high : b->low + 1;
	}
}

const struct lat_probe *lat_probe_of(const struct lat_row *row, const struct data *d,
				     const struct lat_probe *probe, int nr)
{
	struct buf name = { 0 }, kind = { 0 };
	const struct lat_probe *found = NULL;
	int i;

	buf_printf(&name, "%s.probe", row->target);
	if (data_text_value(&d->text[DATA_STATS], name.data, &kind))
		for (i = 0; i < nr; i++)
			if (probe[i].calibrated && !strcmp(probe[i].kind, kind.data))
				found = &probe[i];
	buf_free(&name);
	buf_free(&kind);
	return found;
}

void lat_net(struct lat_table *t, const struct data *d)
{
	struct lat_probe probe[LAT_NR_PROBES];
	int nr = lat_probes(d, probe);
	const struct lat_probe *p = NULL;
	const char *target = NULL;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		struct lat_row *row = &t->row[t->sorted[i]];

		/* The rows of a target are adjacent. */
		if (!target || strcmp(target, row->target))
			p = lat_probe_of(row, d, probe, nr);
		target = row->target;
		row->net = !!p;
		if (!p)
			continue;
		row->unsure_ns = p->varies ? p->high_ns - p->seen_ns : LAT_UNKNOWN;
		take_off(row, p->seen_ns);
	}
	lat_probes_free(probe);
}

void lat_net_describe(const struct data *d, const char *before, struct buf *out)
{
	struct lat_probe probe[LAT_NR_PROBES];
	int i, nr = lat_probes(d, probe);

	if (!nr)
		buf_printf(out, "%snothing is taken off: how targets are watched is not known\n",
			   before);
	for (i = 0; i < nr; i++) {
		const struct lat_probe *p = &probe[i];

		buf_printf(out, "%s%s, for %s: ", before, p->kind, p->few.data);
		if (!p->calibrated)
			buf_printf(out, "nothing is taken off: what it costs is not known\n");
		else if (p->varies)
			buf_printf(out, "%" PRIu64 " ns are taken off each latency, and up to "
				   "%" PRIu64 " ns more may still be in it; more where caches are "
				   "cold\n", p->seen_ns, p->high_ns - p->seen_ns);
		else
			buf_printf(out, "%" PRIu64 " ns are taken off each latency; how much "
				   "that varies is not known\n", p->seen_ns);
	}
	lat_probes_free(probe);
}
