/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record_meta.h - the metadata of a recording: machine, settings and command
 */
#ifndef KPROF_RECORD_META_H
#define KPROF_RECORD_META_H

#include <stdint.h>

#include "lib/buf.h"

/* The clock of the records: CLOCK_MONOTONIC. */
uint64_t record_now_ns(void);

/* Write lines "name: value" on machine, settings and command. Call it before sampling starts. */
void record_meta_begin(struct buf *meta, int possible_cpus, char **command);

/*
 * Add the time at which the module had begun, instead of that when it was about to: to watch many
 * functions takes seconds, and who divides by the time means that in which calls were counted.
 */
void record_meta_started(struct buf *meta);

/* Add the time of the end: record_now_ns() before the module is stopped, for the same reason. */
void record_meta_end(struct buf *meta, uint64_t end);

#endif /* KPROF_RECORD_META_H */
