/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * export_events.h - the samples and calls of a recording one by one, by source, thread and time
 */
#ifndef KPROF_EXPORT_EVENTS_H
#define KPROF_EXPORT_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "data/data.h"
#include "data/tally.h"
#include "export/export_types.h"

struct export_event {
	uint64_t time, weight, key;	/* as in struct kprof_record */
	uint32_t pid, info;		/* likewise; or as missed_name() takes it */
	size_t order;			/* in which it was read */
};

/*
 * Events of one source and thread are neighbours, and in the order of time. The idle task of a CPU
 * is a thread, too, though all of these have the id 0.
 */
struct export_events {
	struct export_event *event;
	size_t nr;
	size_t room;			/* private */
};

/*
 * Those that a query selects. Time by which a sample came late, if it is not its function's, is an
 * event of its own, as it is a row of its own in a tally. Free event.
 */
void export_events_make(struct export_events *e, const struct data *d,
			const struct tally_query *query);

/* Where the source or the thread of event @from ends: the index of the first one of another. */
size_t export_events_end(const struct export_events *e, size_t from);

/* What an event adds to a type of its source. */
uint64_t export_event_value(const struct data *d, const struct export_type *type,
			    const struct export_event *event);

/* What stands for it in a tally, as export_stack_of() takes it. */
struct tally_row export_event_row(const struct export_event *event);

/* The type in which the events of a source are weighed: of its time or events, else its number. */
const struct export_type *export_event_type(const struct export_types *types, uint32_t source);

#endif /* KPROF_EXPORT_EVENTS_H */
