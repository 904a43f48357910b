// SPDX-License-Identifier: GPL-2.0-only
/*
 * targets.c - which sources of a recording are targets, whose records are calls
 */
#include "data/data.h"
#include "lib/mem.h"

/* A return is of a call, and so is an entry that has a return to follow. */
static bool is_of_call(const struct kprof_record *rec)
{
	uint32_t kind = KPROF_INFO_KIND(rec->info);

	return kind == KPROF_REC_CALL ||
	       (kind == KPROF_REC_SAMPLE && rec->info & KPROF_INFO_MORE);
}

void data_find_targets(struct data *d)
{
	size_t chunk, i;

	if (d->nr_sources)
		return;
	d->is_called = mem_zalloc(1u << KPROF_SOURCE_BITS, sizeof(*d->is_called));
	for (chunk = 0; chunk < d->nr_chunks; chunk++)
		for (i = 0; i < d->chunk[chunk].nr; i++)
			if (is_of_call(&d->chunk[chunk].rec[i]))
				d->is_called[KPROF_KEY_SOURCE(d->chunk[chunk].rec[i].key)] = true;
}

bool data_is_target(const struct data *d, uint32_t source)
{
	if (d->is_called)
		return d->is_called[source];
	return source < d->nr_sources && d->source[source].is_target;
}

bool data_has_targets(const struct data *d)
{
	uint32_t id;

	for (id = 1; id < d->nr_sources; id++)
		if (d->source[id].is_target)
			return true;
	return false;
}
