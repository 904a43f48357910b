/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - calls are measured: the module's table at moments, and between them
 *
 * The module only adds up, and may have done so before we came: every result is
 * the difference of two moments. Functions that return int give 0, or
 * EXIT_ERROR after a message.
 */
#ifndef KPROF_LAT_MEASURE_H
#define KPROF_LAT_MEASURE_H

#include "lat/lat.h"

/* Zero-initialise. */
struct lat_measure {
	struct data start, last, now;	/* texts "latency", "buckets", "stats" of a moment */
	struct data result;		/* of the whole time */
};

/* Before the module is started; its targets are set. @command: as a list, may be empty. */
int lat_measure_begin(struct lat_measure *m, char **command);

/*
 * The calls since the last step or the beginning, and in @view, whose texts
 * are good until the next step, what they are worth. Free @t in both cases.
 */
int lat_measure_step(struct lat_measure *m, struct lat_table *t, struct data *view);

/* The calls from the beginning to the last step, and m->result. Free @t in both cases. */
int lat_measure_total(struct lat_measure *m, struct lat_table *t, enum lat_sort sort);

/* The result as a recording; -1 with errno set. */
int lat_measure_write(struct lat_measure *m, int fd);

void lat_measure_free(struct lat_measure *m);

#endif /* KPROF_LAT_MEASURE_H */
