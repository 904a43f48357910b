/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - compare two measurements of latency
 *
 * A is the measurement before, B the one after: a positive difference means that B takes longer.
 */
#ifndef KPROF_DIFF_H
#define KPROF_DIFF_H

#include <stdio.h>

#include "lat/lat.h"
#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/interval.h"
#include "lib/json.h"
#include "lib/strtab.h"

enum diff_side { DIFF_A, DIFF_B, DIFF_NR_SIDES };

/* --- what differs between the boots (diff_boot.c) --- */

struct diff_change {
	const char *kind;	/* kernel, cmdline, config, mitigation, probe, setting */
	const char *name;
	const char *value[DIFF_NR_SIDES];	/* NULL: not present */
};

/* --- rows (diff_rows.c) --- */

enum diff_verdict {
	DIFF_SAME,		/* no significant difference, or one below the threshold */
	DIFF_SLOWER,
	DIFF_FASTER,
	DIFF_TOO_FEW,		/* too few calls to tell */
	DIFF_UNSURE,		/* net: the probe overhead of one side is not known well enough */
	DIFF_ONLY_A,
	DIFF_ONLY_B,
};

/* Compares the number of calls; the verdict compares their latency. */
enum diff_calls { DIFF_AS_MANY, DIFF_MORE, DIFF_FEWER };

extern const char *const diff_verdict_names[];
extern const char *const diff_calls_names[];

struct diff_row {
	const struct lat_row *side[DIFF_NR_SIDES];	/* NULL: not there */
	enum diff_verdict verdict;	/* on the latency of a call */
	double cost;			/* total of B - total of A: the sum of the next two */
	double cost_calls, cost_time;	/* due to more calls, due to slower calls */
	double cost_self;		/* self time of B - of A: unlike totals, it does not nest */
	/* Only for rows that both sides have; in nanoseconds: */
	enum diff_calls calls;		/* which side has more calls */
	double difference;		/* of the averages */
	double ratio;			/* of the averages; 0: the average of A is 0 */
	struct interval confidence;	/* of the difference */
	struct interval p50, p99;	/* of the differences of p50 and of p99 */
};

/* --- functions with calls on one side only (diff_function.c) --- */

enum diff_reason {
	DIFF_NOT_CALLED,
	DIFF_NOT_WATCHED,
	DIFF_RENAMED,
	DIFF_PARTLY_INLINED,
	DIFF_INLINED,
	DIFF_INLINED_OR_MISSING,
	DIFF_MISSING,
	DIFF_NO_MODULE,
	DIFF_UNKNOWN,		/* the recording has no list of functions */
};

extern const char *const diff_reason_names[];

struct diff_absence {
	const char *target;
	enum diff_side side;	/* the side that has no calls */
	enum diff_reason reason;
	const char *twin;	/* DIFF_RENAMED: the name on that side; else NULL */
};

struct diff {
	const char *path[DIFF_NR_SIDES];
	const struct data *data[DIFF_NR_SIDES];
	struct lat_table table[DIFF_NR_SIDES];
	double threshold;	/* in percent; smaller differences are ignored */
	bool net;		/* lat_net() was called for both tables */
	struct diff_row *row;
	size_t nr_rows, row_room;
	struct diff_change *change;
	size_t nr_changes, change_room;
	struct diff_absence *absence;
	size_t nr_absences, absence_room;
	struct arena texts;
};

/* Call these in this order, after path, data, table and threshold are set. */
void diff_boot_make(struct diff *d);
void diff_absences_make(struct diff *d);
void diff_rows_make(struct diff *d);
void diff_free(struct diff *d);

/* Targets of A that have another name in B, by the absences. */
struct diff_renamed {
	struct strtab names;
	const char **twin;
	size_t room;
};

void diff_renamed_make(struct diff_renamed *r, const struct diff *d);
/* The name of a target of A in B; itself unless it is renamed. */
const char *diff_name_in_b(const struct diff_renamed *r, const char *target);
void diff_renamed_free(struct diff_renamed *r);

/* --- showing it (diff_text.c, diff_formats.c, diff_svg.c) --- */

struct diff_output {
	FILE *out;
	enum lat_unit unit;
	long lines;		/* rows; 0: all */
};

typedef void diff_printer(const struct diff_output *o, const struct diff *d);

diff_printer diff_print_text, diff_print_csv, diff_print_json, diff_print_svg;

/* What differs between the boots, and why functions have no calls on one side. */
void diff_print_changes(const struct diff_output *o, const struct diff *d);
void diff_print_absences(const struct diff_output *o, const struct diff *d);
void diff_json_changes(struct json *j, const struct diff *d);
void diff_json_absences(struct json *j, const struct diff *d);
void diff_json_interval(struct json *j, const char *name, const struct interval *in);

/* Add a time in the unit: nanoseconds with @digits decimals, other units with three. */
void diff_add_time(struct columns *c, const struct diff_output *o, double ns, int digits);
void diff_add_difference(struct columns *c, const struct diff_output *o, double ns, int digits);

/* Add the context of a row, with names for numbers. */
void diff_add_context(struct columns *c, const struct diff *d, const struct lat_row *row);

/* A field of CSV; it is empty if the time is not known. */
void diff_csv_time(struct csv *c, const struct diff_output *o, bool known, double ns);

static inline size_t diff_rows_shown(const struct diff_output *o, const struct diff *d)
{
	return o->lines && (size_t)o->lines < d->nr_rows ? (size_t)o->lines : d->nr_rows;
}

/* The side that gives the row its target and context: B if it has the row, else A. */
static inline const struct lat_row *diff_name(const struct diff_row *row)
{
	return row->side[DIFF_B] ? row->side[DIFF_B] : row->side[DIFF_A];
}

#endif /* KPROF_DIFF_H */
