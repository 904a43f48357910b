/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - snapshots of the module's latency table, and their differences
 *
 * The module's counters only grow, and may have been running before. So every result is
 * the difference of two snapshots. Functions that return int return 0, or EXIT_ERROR after
 * a message.
 */
#ifndef KPROF_SNAPSHOT_H
#define KPROF_SNAPSHOT_H

#include "lat/lat.h"

/* Zero-initialise. */
struct snapshots {
	struct data start, last, now;	/* snapshots of "latency", "buckets" and "stats" */
	struct data result;		/* of the whole time */
	uint64_t end;			/* record_now_ns(); 0: now */
};

/* Call it after targets are set, before the module is started. @command may be empty. */
int snapshots_begin(struct snapshots *m, char **command);

/* The module was started, or is about to be stopped: the result is of the time in between. */
void snapshots_started(struct snapshots *m);
void snapshots_ended(struct snapshots *m);

/*
 * The calls since the last step or the beginning. @view gets the texts that
 * belong to them (losses and so on), valid until the next step. Free @t in both
 * cases.
 */
int snapshots_step(struct snapshots *m, struct lat_table *t, struct data *view);

/* The calls from the beginning to the last step, and m->result. Free @t in both cases. */
int snapshots_total(struct snapshots *m, struct lat_table *t, enum lat_sort sort);

/* Write the result as a recording. Returns -1 with errno set on failure. */
int snapshots_write(struct snapshots *m, int fd);

void snapshots_free(struct snapshots *m);

#endif /* KPROF_SNAPSHOT_H */
