// SPDX-License-Identifier: GPL-2.0-only
/*
 * export_types.c - the values that samples have, of one source or of several
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/data_unit.h"
#include "export/export_types.h"
#include "lib/buf.h"
#include "lib/escape.h"
#include "lib/mem.h"

static void add(struct export_types *t, uint32_t source, const char *prefix, const char *name,
		bool is_time, int measure)
{
	struct buf text = { 0 };

	if (prefix) {
		escape_add(&text, prefix, strlen(prefix));
		buf_printf(&text, "_");
	}
	escape_add(&text, name, strlen(name));
	t->type = mem_grow(t->type, &t->room, t->nr + 1, sizeof(*t->type));
	t->type[t->nr++] = (struct export_type){
		.name = text.data, .is_time = is_time, .source = source, .measure = measure,
	};
}

/* The name of a source that samples has those of all its events, with commas between them. */
static void add_events(struct export_types *t, uint32_t source, const char *names, bool is_time,
		       bool several)
{
	size_t len = strcspn(names, ",");
	char *first = mem_zalloc(len + 1, 1);
	int i;

	memcpy(first, names, len);
	add(t, source, several ? first : NULL, "samples", false, EXPORT_NUMBER);
	if (is_time)
		add(t, source, several ? first : NULL, "cpu", true, EXPORT_WEIGHT);
	else
		add(t, source, NULL, first, false, EXPORT_WEIGHT);
	free(first);
	for (i = 0; i < KPROF_MAX_ALONG && names[len]; i++) {
		char *name = mem_strdup(names + len + 1);

		names += len + 1;
		len = strcspn(names, ",");
		name[len] = '\0';
		add(t, source, NULL, name, false, EXPORT_ALONG + i);
		free(name);
	}
}

static void add_source(struct export_types *t, const struct data *d,
		       const struct data_presence *of, uint32_t source, bool several)
{
	const char *name = source < d->nr_sources ? d->source[source].name : NULL;
	struct data_unit unit;
	char number[16];

	/* In a recording that was cut off they have no names yet; those of types differ. */
	snprintf(number, sizeof(number), "source%" PRIu32, source);
	name = name ? name : number;

	if (data_is_target(d, source)) {
		add(t, source, several ? name : NULL, "calls", false, EXPORT_NUMBER);
		if (of->is_timed[source])
			add(t, source, several ? name : NULL, "time", true, EXPORT_WEIGHT);
		return;
	}
	data_unit_choose_one(&unit, d, of, DATA_COUNT_DEFAULT, source);
	add_events(t, source, name, !strcmp(unit.name, "ns"), several);
}

void export_types_make(struct export_types *t, const struct data *d, const char *source)
{
	const uint32_t asked = source ? tally_source(d, source) : 0;
	struct data_presence of;
	uint32_t id;
	int nr = 0;

	data_presence_of(&of, d);
	for (id = 0; id < DATA_MAX_SOURCES; id++)
		nr += of.has_records[id];
	for (id = 0; id < DATA_MAX_SOURCES; id++)
		if (of.has_records[id] && (!source || id == asked))
			add_source(t, d, &of, id, nr > 1);
	while (t->main < t->nr && t->type[t->main].measure != EXPORT_WEIGHT)
		t->main++;
	if (t->main == t->nr)
		t->main = 0;
}

void export_types_free(struct export_types *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		free(t->type[i].name);
	free(t->type);
}

uint64_t export_value(const struct export_type *type, const struct tally_row *row)
{
	if (KPROF_KEY_SOURCE(row->key) != type->source)
		return 0;
	if (type->measure == EXPORT_NUMBER)
		return row->samples;
	if (type->measure == EXPORT_WEIGHT)
		return row->ns;
	return row->count[1 + type->measure - EXPORT_ALONG];
}
