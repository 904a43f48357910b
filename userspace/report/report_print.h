/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_print.h - print a report as text, CSV or JSON
 */
#ifndef KPROF_REPORT_PRINT_H
#define KPROF_REPORT_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "data/data_fold.h"
#include "report/report.h"
#include "report/report_events.h"

enum report_tree_direction {
	REPORT_TREE_DOWN,	/* from callers to callees */
	REPORT_TREE_UP,		/* from the innermost functions to their callers */
};

#define REPORT_NO_TREE	(-1)

/* Indexed by enum report_tree_direction; NULL-terminated. */
extern const char *const report_tree_names[];

struct report_output {
	const struct data *data;
	const char *path;
	FILE *out;
	long lines;		/* of a table; 0: all */
	double percent_limit;	/* negative: the default of the format */
	const char *source;	/* --source, --cpus as given; NULL: all */
	const char *cpus;
	const struct tally_query *query;
	const struct filter_options *filter;
	bool callers, color;
	struct data_unit unit;	/* of the table at hand; before the first, of that one */
	bool units_differ;	/* those of the tables */
	struct report_order order;
	int tree;		/* enum report_tree_direction, or REPORT_NO_TREE: a table */
	bool is_grouped;	/* a tree for each combination of the keys' values */
	struct report_events events;	/* CSV: the events of all sources, a column each */
	struct csv csv;
	struct json json;
};

struct report_printer {
	void (*begin)(struct report_output *o);
	/* @fold selects the samples of the table; used to find callers */
	void (*table)(struct report_output *o, const char *source, const struct report_table *t,
		      const struct data_fold_options *fold);
	void (*end)(struct report_output *o);
};

extern const struct report_printer report_text, report_csv, report_json;

/*
 * Print all tables, each counted as @count says. *@is_empty: no record is left by the query.
 * Returns EXIT_OK, or EXIT_ERROR if there is no such source.
 */
int report_tables(struct report_output *o, const struct report_printer *printer,
		  enum data_count count, bool *is_empty);

/*
 * If the recording has no targets, say whose time is that of callers with interrupts off, and
 * suggest a command that measures the functions with the most time. @tally: the table's rows.
 */
void report_next(const struct report_output *o, const struct report_table *t,
		 const struct tally *tally);

/* Say what the rows of time mean in which a CPU could not be sampled, if the table has any. */
void report_missed(const struct report_output *o, const struct report_table *t);

/* Add the name of a column of CSV, with the unit if that is one for all tables. */
void report_csv_unit(struct report_output *o, const char *name);

/* Should entry @i of the table be shown? */
bool report_shows(const struct report_output *o, const struct report_table *t, size_t i);

/* The terminal sequence for the colour of a share. */
const char *report_color(double percent);

static inline double report_percent(uint64_t part, uint64_t total)
{
	return total ? 100.0 * part / total : 0;
}

#endif /* KPROF_REPORT_PRINT_H */
