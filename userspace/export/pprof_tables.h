/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pprof_tables.h - the tables of a pprof profile: each string, mapping, function and location once
 */
#ifndef KPROF_EXPORT_PPROF_TABLES_H
#define KPROF_EXPORT_PPROF_TABLES_H

#include <zlib.h>

#include "export/export_stack.h"
#include "lib/buf.h"
#include "lib/strtab.h"

/* Fields of message Profile. */
enum {
	PPROF_SAMPLE_TYPE = 1, PPROF_SAMPLE, PPROF_MAPPING, PPROF_LOCATION, PPROF_FUNCTION,
	PPROF_STRING, PPROF_TIME = 9, PPROF_DURATION, PPROF_PERIOD_TYPE, PPROF_PERIOD,
	PPROF_COMMENT, PPROF_DEFAULT_TYPE,
};

/* What is written: a message goes out as soon as it is complete. Zero-initialise, set out. */
struct pprof {
	gzFile out;
	const struct data *data;
	bool has_failed;	/* something could not be written */
	/* Private from here on: what has been written; each has its number. */
	struct strtab strings, mappings, functions, locations;
	struct buf field;	/* a field of the profile, until it is written */
};

/* Write a field of the profile whose value is a message, which is emptied; or a number. */
void pprof_put(struct pprof *p, int field, struct buf *message);
void pprof_put_u64(struct pprof *p, int field, uint64_t value);

/* The index of a string, which is escaped. The first string has to be "". */
uint64_t pprof_string(struct pprof *p, const char *text);

/* The id of the location of a place. */
uint64_t pprof_location(struct pprof *p, const struct export_place *place);

void pprof_free(struct pprof *p);

#endif /* KPROF_EXPORT_PPROF_TABLES_H */
