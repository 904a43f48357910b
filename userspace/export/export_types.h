/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * export_types.h - the values that samples have, of one source or of several
 */
#ifndef KPROF_EXPORT_TYPES_H
#define KPROF_EXPORT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/data.h"
#include "data/tally.h"

enum export_measure {
	EXPORT_NUMBER,		/* how many samples, or calls */
	EXPORT_WEIGHT,		/* nanoseconds, or events of the leading counter */
	EXPORT_ALONG,		/* events of another counter: this, and the next ones */
};

struct export_type {
	char *name;		/* "samples", "cpu"; of several sources "SOURCE_samples" */
	bool is_time;		/* nanoseconds, else a number */
	uint32_t source;
	int measure;		/* of enum export_measure */
};

/* Zero-initialise. */
struct export_types {
	struct export_type *type;
	size_t nr;
	size_t main;		/* the one to show first: the time, where there is one */
	size_t room;		/* private */
};

/* The types of a recording; @source: of this alone, unless it is NULL. Free them with _free(). */
void export_types_make(struct export_types *t, const struct data *d, const char *source);
void export_types_free(struct export_types *t);

/* The value of a row. 0: it is of another source. */
uint64_t export_value(const struct export_type *type, const struct tally_row *row);

#endif /* KPROF_EXPORT_TYPES_H */
