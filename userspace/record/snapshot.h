/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - snapshots of the module's latency table, and their differences
 *
 * The module only accumulates, and may have been running before: every result is the
 * difference of two snapshots. Functions that return int return 0, or EXIT_ERROR after
 * a message.
 */
#ifndef KPROF_SNAPSHOT_H
#define KPROF_SNAPSHOT_H

#include "lat/lat.h"

/* Zero-initialise. */
struct snapshots {
	struct data start, last, now;	/* texts "latency", "buckets", "stats" of a moment */
	struct data result;		/* of the whole time */
};

/* Before the module is started; its targets are set. @command: as a list, may be empty. */
int snapshots_begin(struct snapshots *m, char **command);

/*
 * The calls since the last step or the beginning, and in @view, whose texts
 * are good until the next step, what they are worth. Free @t in both cases.
 */
int snapshots_step(struct snapshots *m, struct lat_table *t, struct data *view);

/* The calls from the beginning to the last step, and m->result. Free @t in both cases. */
int snapshots_total(struct snapshots *m, struct lat_table *t, enum lat_sort sort);

/* The result as a recording; -1 with errno set. */
int snapshots_write(struct snapshots *m, int fd);

void snapshots_free(struct snapshots *m);

#endif /* KPROF_SNAPSHOT_H */
