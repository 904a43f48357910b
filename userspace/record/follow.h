/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.h - the module's records as they come, in the order of time, with names for ids
 *
 * Functions that return int give 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_FOLLOW_H
#define KPROF_FOLLOW_H

#include "lib/arena.h"
#include "record/collect.h"

/* What a record is of, by name. */
struct follow_event {
	const struct kprof_record *record;
	const char *source, *comm;
	const char *keys;	/* "NAME=VALUE,..." with names for numbers; "-": there are none */
};

/* A record that is whole, and KPROF_ID_NONE or the row of its keys. */
struct follow_record {
	struct kprof_record rec;
	uint32_t row;
};

struct follow {
	struct collect collect;		/* the first member: see take() */
	struct follow_record *record;	/* taken out, and not yet handed on */
	size_t nr, room;
	const char **keys;		/* by row */
	size_t nr_keys;
	struct arena texts;
};

/* Open rings and tables, while the module is stopped. */
int follow_open(struct follow *f);

/*
 * Take out what there is, and hand on what is older than that moment (@all: all of it): calls,
 * spans and points when they are over. @show returns false when it has seen enough.
 */
int follow_step(struct follow *f, bool all,
		bool (*show)(const struct follow_event *event, void *data), void *data);

void follow_close(struct follow *f);

#endif /* KPROF_FOLLOW_H */
