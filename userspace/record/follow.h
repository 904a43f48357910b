/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.h - read the module's records live, in order of time, with names for ids
 *
 * Functions that return int return 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_FOLLOW_H
#define KPROF_FOLLOW_H

#include "lib/arena.h"
#include "record/collect.h"

/* A record with the names that its ids stand for. */
struct follow_event {
	const struct kprof_record *record;
	const char *source, *comm;
	const char *keys;	/* "NAME=VALUE,..." with names for numbers; "-": no keys */
	const __u64 *each;	/* values of the keys each(KEY) */
	int nr_each;
};

/* A complete record, and the record of its keys, whose row may be KPROF_ID_NONE. */
struct follow_record {
	struct kprof_record rec;
	struct kprof_row row;
};

struct follow {
	struct collect collect;		/* the first member: see take() */
	struct follow_record *record;	/* drained, but not yet shown */
	size_t nr, room;
	const char **keys;		/* by row */
	size_t nr_keys;
	struct arena texts;
};

/* Open rings and tables. The module must be stopped. */
int follow_open(struct follow *f);

/*
 * Drain the rings and call @show for the records that are older than the start of this step (@all:
 * for all records): for calls, spans and points when they are over. @show returns false to stop.
 */
int follow_step(struct follow *f, bool all,
		bool (*show)(const struct follow_event *event, void *data), void *data);

void follow_close(struct follow *f);

#endif /* KPROF_FOLLOW_H */
