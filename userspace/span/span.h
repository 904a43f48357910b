/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * span.h - the common part of verbs that show one of the module's presets
 *
 * Such a verb provides a target line for the module, the meaning of the keys of its rows, and a
 * table of the columns to show. Measuring, adding up, sorting and printing are done here.
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
	bool all, csv, json, histogram, by_process, stacks, callers, own;
	const char *comm, *cpus, *module, *output, *min;
	double duration, interval;
	long count, lines, max_rows;
	int sort;	/* index into the names that the verb allows */
} span_options;

/* Do rows have a stack? That of the program stands before the kernel's, and so asks for both. */
static inline bool span_has_stacks(void)
{
	return span_options.stacks || span_options.callers;
}

/* --- what a verb shows --- */

enum span_cell {
	SPAN_SHARE,	/* per cent of the time of all rows */
	SPAN_SECONDS,
	SPAN_AGE,	/* of the oldest, in seconds */
	SPAN_AVG,	/* this and the next two are in microseconds */
	SPAN_P99,
	SPAN_MAX,
	SPAN_COUNT,
	SPAN_BYTES,
	SPAN_ERRORS,
	SPAN_BESIDE,	/* seconds, of the preset beside it */
	SPAN_TEXT,
};

/**
 * struct span_column - a column of a table
 * @title:	heading in text and CSV
 * @name:	name of the member in JSON; NULL: not in JSON
 * @cell:	what the column shows; columns of texts come last
 * @text:	for SPAN_TEXT: which of the row's texts
 * @only_if:	shown only if this option is set; NULL: always
 */
struct span_column {
	const char *title, *name;
	enum span_cell cell;
	int text;
	const bool *only_if;
};

/* What of a verb about waits does not tell who was waited for. */
#define SPAN_NEXT_WAITS	"who held up whom, and what it did meanwhile: kprof record --wall -a -d 5; " \
			"kprof report --waits"

#define SPAN_TEXTS	7
#define SPAN_COLUMNS	16
#define SPAN_TARGETS	4

/**
 * struct span_row - the sum of all rows of the module that have the same texts
 * @text:	the texts that distinguish rows
 * @stack:	root first, separated by ";"; with --callers that of the program before the
 *		kernel's; NULL: not known
 * @errors:	how many of the calls failed
 * @beside:	nanoseconds of the preset beside it
 * @sum:	the spans; without target and context. For open spans the total is in bytes,
 *		and the maximum is the age of the oldest
 */
struct span_row {
	const char *text[SPAN_TEXTS];
	const char *stack;
	uint64_t errors, beside;
	struct lat_row sum;
	const char *id;		/* private: all the texts */
};

enum span_sort {
	SPAN_BY_TIME, SPAN_BY_COUNT, SPAN_BY_ERRORS, SPAN_BY_AVG, SPAN_BY_MAX, SPAN_BY_NAME
};

/* The values of --sort for verbs that do not have their own. */
extern const char *const span_sort_names[];
extern const enum span_sort span_sorts[];

struct span_table {
	struct span_row *row;
	struct strtab ids;	/* as many as there are rows */
	struct span_row all;
	uint64_t elsewhere;	/* nanoseconds of the preset beside it that belong to no row */
	struct user_names *names;	/* of functions of programs; NULL: without --callers */
	size_t room;
};

/**
 * struct span_verb - a verb that shows presets
 * @target:	target lines for the module, NULL-terminated; at most SPAN_TARGETS
 * @beside:	one of @target, the last, whose time stands beside that of the others in rows with
 *		the same texts, and makes none; NULL: none
 * @elsewhere:	what its other time is, for people
 * @process_keys: appended to a line with --by-process; "" or NULL: nothing
 * @stack_key:	appended after that with --stacks
 * @user_key:	the key that has the stack of the program with --callers; NULL: "ustack"
 * @condition:	the condition of if=, appended last; NULL: none
 * @column:	the columns, terminated by one without a title
 * @texts:	makes the texts of a row (each buffer is empty at first) and its stack from
 *		the keys of a row of the module; returns true if these calls have failed
 * @unbegun:	what to call ends whose beginning was not seen; "the measurement began" follows
 * @unbegun_or:	what else these may be; NULL: nothing
 * @apart:	one of @target whose ends without a beginning are counted apart; or NULL
 * @unbegun_apart: what to call those, as a whole
 * @overwritten: what to call beginnings whose end was not; NULL: that
 * @note:	what its times are, if a reader may take them for something else; or NULL
 * @next:	the command that tells more, and what of; or NULL
 * @sums:	also add up the rows that have this text in common; 0: none
 * @hint_longest: say so if the longest span is in another row than the first
 * @sorts:	the meaning of each value of --sort; NULL: span_sorts
 * @overall:	draw one histogram of all spans, not one for each row
 * @is_live:	show open spans, with bytes in place of time; then @max_open is how many of
 *		them there is room for
 */
struct span_verb {
	const char *const *target;
	const char *beside, *elsewhere;
	const char *process_keys, *stack_key, *user_key, *condition;
	const struct span_column *column;
	bool (*texts)(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack);
	const char *unbegun, *unbegun_or;
	const char *apart, *unbegun_apart;
	const char *overwritten;
	const char *note, *next;
	int sums;
	bool hint_longest;
	const enum span_sort *sorts;
	bool overall, is_live;
	long max_open;
};

static inline const char *span_user_key(const struct span_verb *verb)
{
	return verb->user_key ? verb->user_key : "ustack";
}

/* Check the options and what is behind them. EXIT_OK, or EXIT_USAGE after a message. */
int span_check(char **argv);

/* Measure and show. @argv: nothing, or "--" and a command. Returns an exit status. */
int span_run(const struct span_verb *verb, char **argv);

/* --- rows (span_table.c) --- */

void span_table_add(struct span_table *t, const struct span_verb *verb, const struct lat_row *row);
/* Is it a row of the preset beside it? These are added when all others have been. */
bool span_is_beside(const struct span_verb *verb, const struct lat_row *row);
void span_table_add_beside(struct span_table *t, const struct span_verb *verb,
			   const struct lat_row *row);
/* Add the module's file "open", which is split in place. Returns false if it is malformed. */
bool span_table_add_open(struct span_table *t, const struct span_verb *verb, char *text);
void span_table_sort(struct span_table *t, enum span_sort sort);
void span_table_free(struct span_table *t);

/* --- showing them (span_print.c) --- */

/* Numbers of spans that are not in the rows. */
struct span_account {
	uint64_t unbegun, unbegun_apart, unended, overwritten, own, filtered, too_short, lost;
	uint64_t duration;	/* of the measurement, in nanoseconds; 0: not known */
	struct buf causes;
};

void span_print(const struct span_verb *verb, const struct span_table *t,
		const struct span_account *a);

/* --- sums of rows of tasks that wait, which have the same text (span_sums.c) --- */

/* @duration: as in struct span_account */
void span_print_sums(const struct span_table *t, int text, uint64_t duration);

/* --- a key of a row (span_key.c) --- */

/*
 * Append the value of a key, as a name if it has one, without quotes. Returns false if the row does
 * not have the key. Keys are identified by their text, or by their position, from 0 on.
 */
bool span_key(const struct lat_row *row, const char *name, struct buf *out);
bool span_key_at(const struct lat_row *row, int nr, struct buf *out);

/* Append the stack of a program that a key has, with the names that are known by now. */
void span_user_stack(const struct lat_row *row, const char *name, struct user_names *names,
		     struct buf *out);

#endif /* KPROF_SPAN_H */
