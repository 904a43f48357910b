/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - two measurements of latency compared
 *
 * A is what was, B what is: a positive difference is time that B takes more.
 */
#ifndef KPROF_DIFF_H
#define KPROF_DIFF_H

#include <stdio.h>

#include "lat/lat.h"
#include "lib/interval.h"

enum diff_side { DIFF_A, DIFF_B, DIFF_NR_SIDES };

/* --- what differs between the boots (diff_boot.c) --- */

struct diff_change {
	const char *kind;	/* kernel, cmdline, config, mitigation, probe, setting */
	const char *name;
	const char *value[DIFF_NR_SIDES];	/* NULL: it is not there */
};

/* --- rows (diff_rows.c) --- */

enum diff_verdict {
	DIFF_SAME,		/* no difference was shown, or one below the threshold */
	DIFF_SLOWER,
	DIFF_FASTER,
	DIFF_TOO_FEW,		/* calls to say */
	DIFF_UNSURE,		/* net: what the probes have of either is not known */
	DIFF_ONLY_A,
	DIFF_ONLY_B,
};

/* How often, beside how long. */
enum diff_calls { DIFF_AS_MANY, DIFF_MORE, DIFF_FEWER };

extern const char *const diff_verdict_names[];
extern const char *const diff_calls_names[];

struct diff_row {
	const struct lat_row *side[DIFF_NR_SIDES];	/* NULL: not there */
	enum diff_verdict verdict;	/* of a call */
	double cost;			/* total of B - total of A: the sum of the next two */
	double cost_calls, cost_time;	/* because of more calls, of slower ones */
	double cost_self;		/* self time of B - that of A: rows nest, this does not */
	/* Of rows that are on both sides; nanoseconds: */
	enum diff_calls calls;		/* how many there are */
	double difference;		/* of the averages */
	double ratio;			/* of the averages; 0: A's is 0 */
	struct interval confidence;	/* of the difference */
	struct interval p50, p99;	/* of the differences of these */
};

/* --- functions that only one side has calls of (diff_function.c) --- */

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
	enum diff_side side;	/* where it has no calls */
	enum diff_reason reason;
	const char *twin;	/* of a renamed one, its name there; else NULL */
};

struct diff {
	const char *path[DIFF_NR_SIDES];
	const struct data *data[DIFF_NR_SIDES];
	struct lat_table table[DIFF_NR_SIDES];
	double threshold;	/* smaller differences, in percent, are none */
	bool net;		/* lat_net() was called for both tables */
	struct diff_row *row;
	size_t nr_rows, row_room;
	struct diff_change *change;
	size_t nr_changes, change_room;
	struct diff_absence *absence;
	size_t nr_absences, absence_room;
	struct arena texts;
};

/* In this order, after path, data, table and threshold were set. */
void diff_boot_make(struct diff *d);
void diff_absences_make(struct diff *d);
void diff_rows_make(struct diff *d);
void diff_free(struct diff *d);

/* --- showing it (diff_text.c, diff_formats.c, diff_svg.c) --- */

struct diff_output {
	FILE *out;
	enum lat_unit unit;
	long lines;		/* rows; 0: all */
};

typedef void diff_printer(const struct diff_output *o, const struct diff *d);

diff_printer diff_print_text, diff_print_csv, diff_print_json, diff_print_svg;

static inline size_t diff_rows_shown(const struct diff_output *o, const struct diff *d)
{
	return o->lines && (size_t)o->lines < d->nr_rows ? (size_t)o->lines : d->nr_rows;
}

/* The row's target and context, of whichever side has it; B's where both do. */
static inline const struct lat_row *diff_name(const struct diff_row *row)
{
	return row->side[DIFF_B] ? row->side[DIFF_B] : row->side[DIFF_A];
}

#endif /* KPROF_DIFF_H */
