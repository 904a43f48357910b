/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * span.h - what verbs have in common that show one of the module's presets
 *
 * Such a verb has a line for the module, and knows what the keys of its rows mean.
 */
#ifndef KPROF_SPAN_H
#define KPROF_SPAN_H

#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/opt.h"
#include "record/watch.h"

/* --- options (span_run.c) --- */

struct span_options {
	struct opt_list pids;
	bool all, csv;
	const char *comm, *cpus, *module;
	double duration, interval;
	long count, lines, max_rows;
};

/* Those that cmd/options.h does not have. */
#define SPAN_INTERVAL(o) \
	{ .letter = 'i', .name = "interval", .type = OPT_DOUBLE, .value = &(o)->interval, \
	  .arg = "SECONDS", .min = 0.01, .max = 1e7, \
	  .help = "a table for each interval, not one at the end" }
#define SPAN_INTERVAL_COUNT(o) \
	{ .name = "interval-count", .type = OPT_LONG, .value = &(o)->count, .arg = "N", \
	  .min = 1, .max = 1e9, .help = "stop after so many intervals" }
#define SPAN_LINES(o) \
	{ .letter = 'n', .name = "lines", .type = OPT_LONG, .value = &(o)->lines, .arg = "N", \
	  .min = 1, .max = 1e9, .help = "no more than N rows of a table" }
#define SPAN_CSV(o) \
	{ .name = "csv", .type = OPT_FLAG, .value = &(o)->csv, .help = "the table as CSV" }
#define SPAN_MAX_ROWS(o) \
	{ .name = "max-rows", .type = OPT_LONG, .value = &(o)->max_rows, .arg = "N", \
	  .min = 1, .max = 65535, .help = "rows there is room for; default 2048" }

/* --- measuring (span_run.c) --- */

struct span {
	struct watch watch;
	const struct span_options *options;
	void (*print)(struct span *s, const struct data *view, struct lat_table *t);
};

/* Measure @target, several of them by ';'. @argv: nothing, or "--" and a command. */
int span_run(struct span *s, const char *const *target, int nr, char **argv);

/* --- a table, as text or CSV (span_sheet.c) --- */

struct span_sheet {
	bool is_csv;
	struct columns columns;
	struct csv csv;
	size_t nr, at;		/* cells of a line */
};

/* The last @left columns are texts. */
void span_sheet_begin(struct span_sheet *s, bool csv, const char *const *name, size_t nr,
		      size_t left);
void span_sheet_number(struct span_sheet *s, double value, int digits);
void span_sheet_text(struct span_sheet *s, const char *text);
void span_sheet_end(struct span_sheet *s);

/* --- a key of a row (span_key.c) --- */

/* Append the value of a key, from 0 on, by name and without quotes; false: it is not there. */
bool span_key(const struct lat_row *row, int nr, struct buf *out);

#endif /* KPROF_SPAN_H */
