// SPDX-License-Identifier: GPL-2.0-only
/*
 * targets.c - the sources of a recording, and which are targets, whose records are calls
 */
#include <stdio.h>
#include <string.h>

#include "data/data.h"
#include "lib/mem.h"
#include "lib/number.h"

static int parse_source(struct data *d, char *line)
{
	const char *end = line;
	char *name, *kind;
	uint64_t id;
	bool good = number_take(&end, NUMBER_DECIMAL, &id);

	name = line + (end - line) + strspn(end, " ");
	kind = strrchr(name, ' ');
	if (!good || !kind || !id || id >= 1u << KPROF_SOURCE_BITS) {
		snprintf(d->error, sizeof(d->error), "'%.60s' is no source", line);
		return -1;
	}
	*kind++ = '\0';
	if (id >= d->nr_sources) {
		d->source = mem_realloc(d->source, id + 1, sizeof(*d->source));
		while (d->nr_sources <= id)
			d->source[d->nr_sources++] = (struct data_source){ 0 };
	}
	d->source[id].name = name;
	/* While a recording is made, nothing but a target can be removed. */
	d->source[id].is_target = !strcmp(kind, "target") || !strcmp(kind, "removed");
	return 0;
}

int data_parse_sources(struct data *d)
{
	char *line = d->text[DATA_SOURCES].data, *next;

	for (; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		else
			next = line + strlen(line);
		if (parse_source(d, line))
			return -1;
	}
	return 0;
}

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
