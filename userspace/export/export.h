/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * export.h - write a recording in formats that other tools read
 *
 * A format is a struct export_format in a file of its own, listed in export_formats.c. It may know
 * recordings, their frames and their tallies, and what a report prints of single samples.
 */
#ifndef KPROF_EXPORT_H
#define KPROF_EXPORT_H

#include <stdbool.h>

#include "data/data.h"
#include "data/tally.h"

/* What a recording may have of a sample, beside its stack and its weight. */
enum export_part {
	EXPORT_THREADS = 1 << 0,	/* the ids of threads and processes */
	EXPORT_TASKS = 1 << 1,		/* their names */
	EXPORT_CPUS = 1 << 2,
	EXPORT_CONTEXTS = 1 << 3,
	EXPORT_CGROUPS = 1 << 4,
	EXPORT_REGIONS = 1 << 5,
	EXPORT_KEYS = 1 << 6,		/* the keys of calls */
	EXPORT_TIMES = 1 << 7,		/* when it was taken */
	EXPORT_COUNTERS = 1 << 8,	/* counters that were read with the leading one */
	EXPORT_LINES = 1 << 9,		/* files and lines of sources */
};

/**
 * struct export - what is written
 * @data:	the recording, with its frames open
 * @path:	what messages call it
 * @query:	which part of it
 * @is_empty:	set by the format: nothing is left of it
 */
struct export {
	struct data *data;
	const char *path;
	struct tally_query query;
	bool is_empty;
};

/**
 * struct export_format - a format
 * @name:	what --format takes
 * @holds:	which of enum export_part it has
 * @is_binary:	a terminal cannot show it
 * @write:	write to standard output. Returns EXIT_OK, or an exit status after a message.
 */
struct export_format {
	const char *name;
	unsigned int holds;
	bool is_binary;
	int (*write)(struct export *e);
};

/* The names of all formats, NULL-terminated: the choices of --format. */
extern const char *const export_names[];

/*
 * Write a recording in the format of this index. A warning says what the recording has and the
 * format does not hold. Returns as the format does.
 */
int export_write(struct export *e, int format);

#endif /* KPROF_EXPORT_H */
