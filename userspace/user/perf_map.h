/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_map.h - the functions in a perf-PID.map, which a process writes for code that it generates
 *
 * It is a text of lines "START SIZE NAME" with hexadecimal numbers, which may begin with "0x".
 * Offsets are addresses. A line without a size reaches up to the next function.
 */
#ifndef KPROF_USER_PERF_MAP_H
#define KPROF_USER_PERF_MAP_H

#include <stddef.h>

#include "user/code.h"

struct buf;

/* A line of 6 bytes takes some 200 of memory, and anybody can write such a file. */
#define PERF_MAP_LINES_MAX	(4u << 20)
#define PERF_MAP_NAME_MAX	4095	/* bytes; what is longer is cut */

/* The first @before bytes were there before the first sample. Nothing in the text is trusted. */
void user_perf_map_read(struct user_functions *f, const struct buf *text, size_t before);

#endif /* KPROF_USER_PERF_MAP_H */
