/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * marks.h - the part of a recording that its program asked for, by kprof_start() and kprof_stop()
 */
#ifndef KPROF_MARKS_H
#define KPROF_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/data.h"

/* The sources of the records that "record --marked" takes of the two. */
#define MARKS_START	"kprof:start"
#define MARKS_STOP	"kprof:stop"

/*
 * If the recording has both sources: leave in it only what is behind a start and before a
 * stop, and take the marks themselves out. data_read() does. data_close() frees what it keeps.
 */
void marks_apply(struct data *d);
void marks_free(struct data *d);

/* Was it made by "record --marked"? */
bool marks_are_there(const struct data *d);

/* How many calls of kprof_start() it has. */
uint64_t marks_starts(const struct data *d);

/* Samples of a source, by its id, that were left out; of all sources. */
uint64_t marks_left_out(const struct data *d, uint32_t source);
uint64_t marks_all_left_out(const struct data *d);

/* Records of a source that is one of the two, by its id, that were taken out; else 0. */
uint64_t marks_taken(const struct data *d, uint32_t source);

#endif /* KPROF_MARKS_H */
