/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * use.h - the USE method: utilisation, saturation and errors of each resource
 *
 * The system's counters are read twice; the figures are computed from their growth. A figure that
 * the system has no counter for is a row without a value, so that the list is complete.
 */
#ifndef KPROF_USE_H
#define KPROF_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/buf.h"

/* --- counters of the system (use_read.c) --- */

enum use_file {
	USE_STAT, USE_SCHEDSTAT, USE_INTERRUPTS, USE_MEMINFO, USE_VMSTAT, USE_DISKSTATS, USE_FILES
};

/**
 * struct use_counts - a snapshot of the system's counters
 * @text:	contents of each file; empty: it cannot be read
 * @disk_errors:	a line "NAME NUMBER" for each disk that counts its errors
 * @ns:		time of the snapshot, CLOCK_MONOTONIC
 */
struct use_counts {
	struct buf text[USE_FILES];
	struct buf disk_errors;
	uint64_t ns;
};

/* Read the files below the directory @root; "": the files of this system. */
void use_read(struct use_counts *c, const char *root);
void use_counts_free(struct use_counts *c);

/* Is a name in diskstats that of a whole disk, not of a partition? */
bool use_is_disk(const char *root, const char *name);

#define USE_NAME	64

/* Copy field @nr (from 1 on) of a line. Returns false if it is missing or too long. */
bool use_name(const char *line, size_t len, int nr, char name[USE_NAME]);

/*
 * The number in field @nr of the line whose field @key is @name; both count from 1. Returns false
 * if there is no such line, or the field is not a number.
 */
bool use_field(const struct buf *text, int key, const char *name, int nr, uint64_t *value);

/*
 * For how long all waits for locks that have not ended have lasted, in nanoseconds, by the module's
 * file open. Returns 0 if it does not say.
 */
uint64_t use_open_ns(const struct buf *open);

/* --- figures (use_rows.c) --- */

enum use_what { USE_UTILISATION, USE_SATURATION, USE_ERRORS };

struct use_row {
	char resource[64];
	enum use_what what;
	bool known;
	double value;
	const char *unit, *from;
};

struct use_rows {
	struct use_row *row;
	size_t nr, room;
};

/* @lock_ns: time that all tasks waited for locks, as measured by the module in the same period. */
void use_rows(struct use_rows *rows, const struct use_counts *before,
	      const struct use_counts *after, const char *root, uint64_t lock_ns);
void use_rows_free(struct use_rows *rows);

/* --- formats (use_print.c) --- */

enum use_format { USE_TEXT, USE_CSV, USE_JSON };

void use_print(const struct use_rows *rows, enum use_format format, double seconds);

#endif /* KPROF_USE_H */
