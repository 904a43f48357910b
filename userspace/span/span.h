/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * span.h - what verbs have in common that show one of the module's presets
 *
 * Such a verb has a line for the module, knows what the keys of its rows mean, and has a table of
 * the columns that it shows. Measuring, adding up, sorting and printing are done here.
 */
#ifndef KPROF_SPAN_H
#define KPROF_SPAN_H

#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/json.h"
#include "lib/opt.h"
#include "lib/strtab.h"
#include "record/watch.h"

/* --- options that all of them have: cmd/span_options.list (span_run.c) --- */

extern struct span_options {
	struct opt_list pids;
	bool all, csv, json, histogram, by_process, stacks;
	const char *comm, *cpus, *module, *output, *min;
	double duration, interval;
	long count, lines, max_rows;
	int sort;	/* which of the names that the verb has given */
} span_options;

/* --- what a verb shows --- */

enum span_cell {
	SPAN_SHARE,	/* per cent of the time of all rows */
	SPAN_SECONDS,
	SPAN_AGE,	/* of the oldest, in seconds */
	SPAN_AVG,	/* microseconds, as the two that follow */
	SPAN_P99,
	SPAN_MAX,
	SPAN_COUNT,
	SPAN_BYTES,
	SPAN_ERRORS,
	SPAN_TEXT,
};

/**
 * struct span_column - a column of a table
 * @title:	above it, and of CSV
 * @name:	of the member in JSON; NULL: there it is none
 * @cell:	what is in it; those with a text come last
 * @text:	which one of a row's texts
 * @only_if:	an option without which it is not shown; or NULL
 */
struct span_column {
	const char *title, *name;
	enum span_cell cell;
	int text;
	const bool *only_if;
};

#define SPAN_TEXTS	6
#define SPAN_COLUMNS	16
#define SPAN_TARGETS	4

/**
 * struct span_row - rows of the module that have the same texts, added up
 * @text:	those that tell rows apart
 * @stack:	root first, ";" between; NULL: it is not known
 * @errors:	calls of these that failed
 * @sum:	the spans; it has neither a target nor a context. Of those that are open the
 *		total is bytes, and the longest is how long ago the oldest began
 */
struct span_row {
	const char *text[SPAN_TEXTS];
	const char *stack;
	uint64_t errors;
	struct lat_row sum;
	const char *id;		/* private: all the texts */
};

enum span_sort {
	SPAN_BY_TIME, SPAN_BY_COUNT, SPAN_BY_ERRORS, SPAN_BY_AVG, SPAN_BY_MAX, SPAN_BY_NAME
};

/* What --sort may be given, where a verb has no names of its own. */
extern const char *const span_sort_names[];
extern const enum span_sort span_sorts[];

struct span_table {
	struct span_row *row;
	struct strtab ids;	/* as many as there are rows */
	struct span_row all;
	size_t room;
};

/**
 * struct span_verb - a verb that shows presets
 * @target:	lines for the module, up to one that is NULL; SPAN_TARGETS at most
 * @process_keys: what follows a line with --by-process; "" or NULL: nothing
 * @stack_key:	what follows then with --stacks
 * @condition:	and at its end
 * @column:	what is shown, up to one without a title
 * @texts:	from the keys of a row of the module: its texts, each an empty buffer, and
 *		the stack; true: these calls have failed
 * @unbegun:	what ends are of which no beginning was seen
 * @sorts:	what each name that --sort may be given means; NULL: span_sorts
 * @overall:	a histogram is drawn of all spans together, not of each row
 * @is_live:	what is open is shown, with bytes in place of time; then @max_open is how
 *		many there is room for
 */
struct span_verb {
	const char *const *target;
	const char *process_keys, *stack_key, *condition;
	const struct span_column *column;
	bool (*texts)(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack);
	const char *unbegun;
	const enum span_sort *sorts;
	bool overall, is_live;
	long max_open;
};

/* Measure and show. @argv: nothing, or "--" and a command. Returns an exit status. */
int span_run(const struct span_verb *verb, char **argv);

/* --- rows (span_table.c) --- */

void span_table_add(struct span_table *t, const struct span_verb *verb, const struct lat_row *row);
/* The module's file "open", which is cut into words; false: it is not of that form. */
bool span_table_add_open(struct span_table *t, const struct span_verb *verb, char *text);
void span_table_sort(struct span_table *t, enum span_sort sort);
void span_table_free(struct span_table *t);

/* --- showing them (span_print.c) --- */

/* What did not get into the rows. */
struct span_account {
	uint64_t unbegun, unended, overwritten, lost;
	struct buf causes;
};

void span_print(const struct span_verb *verb, const struct span_table *t,
		const struct span_account *a);

/* --- a key of a row (span_key.c) --- */

/*
 * Append the value of a key, by name where it has one and without quotes; false: it is not there.
 * A key is known as it was written, or by its place, from 0 on.
 */
bool span_key(const struct lat_row *row, const char *name, struct buf *out);
bool span_key_at(const struct lat_row *row, int nr, struct buf *out);

#endif /* KPROF_SPAN_H */
