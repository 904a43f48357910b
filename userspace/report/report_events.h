/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_events.h - the columns of a report for sources with several counters
 *
 * The name of a source lists its counters, "cycles,instructions", the leading
 * one first. A source with one counter or none has no such columns. If both
 * cycles and instructions were counted, their ratio is one more column.
 */
#ifndef KPROF_REPORT_EVENTS_H
#define KPROF_REPORT_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "data/data.h"
#include "lib/csv.h"
#include "lib/json.h"

#define REPORT_EVENT_NAME	32	/* longer names are cut; the module does not make any */

struct report_events {
	char (*name)[REPORT_EVENT_NAME];
	size_t nr, room;
	int cycles, instructions;	/* their indices in name, or -1 */
};

/* The events of a source; NULL: of none. Free them. */
void report_events_of_source(struct report_events *e, const char *source);
/* The events of all sources of a recording, each once. */
void report_events_of_data(struct report_events *e, const struct data *d);
void report_events_free(struct report_events *e);

/* As text: the heading of the columns, the columns, and a comment with the sums. */
void report_events_header(const struct report_events *e, FILE *out);
void report_events_text(const struct report_events *e, const uint64_t *count, FILE *out);
void report_events_total(const struct report_events *e, const uint64_t *count, FILE *out);

/* As members of a JSON object, and as columns of CSV. @here: the events that @count is of. */
void report_events_json(const struct report_events *e, const uint64_t *count, struct json *j);
void report_events_csv_header(const struct report_events *all, struct csv *c);
void report_events_csv(const struct report_events *all, const struct report_events *here,
		       const uint64_t *count, struct csv *c);

#endif /* KPROF_REPORT_EVENTS_H */
