/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff_stacks.h - compare two recordings of stacks, or two folded texts, by function
 */
#ifndef KPROF_DIFF_STACKS_H
#define KPROF_DIFF_STACKS_H

#include "data/next.h"
#include "data/stacks.h"

struct diff_stacks_options {
	struct data_fold_options part;
	enum stacks_by by;
	long lines;		/* 0: all */
	bool csv, json;
};

/*
 * How counts are printed: nanoseconds in ms, as a sample stands for one or more, and less would be
 * digits only.
 */
struct diff_unit {
	const char *name;
	double scale;		/* counts in that unit */
	int digits;		/* of whole counts */
};

struct diff_unit diff_unit_of(const char *name);

/* A function: its own counts, and those including all that it called; A or before, B or after. */
struct diff_function {
	const char *name;	/* belongs to the stacks */
	folded_count self[2], total[2];
	folded_count self_change, total_change;	/* what rows are sorted by, in what is compared */
	uint32_t last_stack;	/* private: the last stack that was counted in total */
};

/*
 * The functions that have a count; in stacks with a function of the name @below, unless that is
 * NULL. Free the result.
 */
struct diff_function *diff_functions(const struct folded *f, const char *below, size_t *nr);

/*
 * How counts become what is compared: shares of the totals, in per cent, or the counts themselves.
 */
struct diff_scale {
	folded_count by[2];	/* what one count is */
	folded_count grain[2];	/* counts that one sample stands for; 0: not known */
	bool is_share;
};

/* B - A. */
folded_count diff_change(const struct diff_scale *s, const folded_count count[2]);
/* By how much two samples of the same differ, in 19 of 20 cases at most. */
folded_count diff_chance(const struct diff_scale *s, const folded_count count[2]);

/*
 * What the kernel was entered for: system calls, faults, interrupts; only name and total, those
 * that differ most first. Free the result.
 */
struct diff_function *diff_entries(const struct folded *f, const struct diff_scale *scale,
				   size_t *nr);

/* Is a node of the stacks a task or a source, whose names anybody chooses, and no function? */
bool diff_is_task(const struct folded *f, uint32_t node);

/* Is it a recording of samples or calls, or folded text? One of lat has only a table. */
bool diff_has_stacks(const struct stacks_side *file);

/* EXIT_ERROR, after a message, if it was cut off before what it recorded, of whatever kind. */
int diff_refuse_cut(const struct stacks_side *file);

/* EXIT_OK; EXIT_LOST, EXIT_ERROR or EXIT_USAGE after a message. */
int diff_stacks(struct stacks_side side[2], const struct diff_stacks_options *o);

/*
 * Say so if there are too few samples to tell much, and which frequency takes enough (diff_few.c).
 */
void diff_print_few(const struct stacks_side side[2], const uint64_t samples[2]);

/* --- two sides that are compared (diff_stacks.c, diff_stacks_text.c, diff_stacks_json.c) --- */

/* What is compared, and how it is shown. */
struct diff_compared {
	const struct stacks_side *side;
	const struct diff_stacks_options *o;
	const struct stacks_two *two;
	struct tally_query query;	/* of samples: what is compared of them */
	struct diff_scale counts, shares, by;	/* by: that of the two which decides */
	uint64_t samples[2];
	bool has_chance;
	struct diff_unit unit[2];	/* of the text */
};

/* same, more or less; "-" where chance is not known. */
const char *diff_stacks_verdict(const struct diff_compared *c, const folded_count count[2]);

/* --- ticks that came late (diff_late.c), and which calls to measure (diff_next.c) --- */

/**
 * struct diff_next_options - what was compared
 * @by_weight:	the samples by their weight, not by their number
 * @is_time:	the weight is time
 * @total:	of either side
 * @scale:	what decides whether it differs
 */
struct diff_next_options {
	const struct tally_query *query;
	bool by_weight, is_time;
	folded_count total[2];
	struct diff_scale scale;
};

/* What the samples of two recordings tell of functions, for what follows. */
struct diff_late {
	/* Private. */
	const struct stacks_side *side;
	struct diff_scale scale;
	struct tally tally[2];
	int nr_tallies;
	struct next next;
	bool is_known, is_time;	/* known: of two recordings of samples */
};

void diff_late_make(struct diff_late *l, const struct stacks_side side[2],
		    const struct diff_next_options *o);
void diff_late_free(struct diff_late *l);

/* The function of a row, if most of its difference is of ticks that came late; else NULL. */
const struct next_function *diff_late_find(const struct diff_late *l, const char *shown);
/* Say so, and whose time it is. @change: how much it differs, in what is compared. */
void diff_late_print(struct diff_late *l, const struct next_function *f, double change);

/*
 * Print the commands that measure the calls of the functions that differ most; last, as it sorts
 * the functions.
 */
void diff_next(struct diff_late *l, const struct diff_next_options *o);

/* The same of what a function itself has; it may be "late", too. */
const char *diff_function_verdict(const struct diff_compared *c, const struct diff_function *f,
				  const struct diff_late *late);
/* How many of so many rows are asked for. */
size_t diff_stacks_shown(const struct diff_stacks_options *o, size_t nr);

/* Print functions and the rest of the comparison (diff_stacks_text.c). */
void diff_stacks_text(const struct diff_compared *c, const struct folded *f,
		      const struct diff_function *function, size_t nr, struct diff_late *late);
/* Print the first @nr functions, and the rest of the comparison. */
void diff_stacks_json(const struct diff_compared *c, const struct folded *f,
		      const struct diff_function *function, size_t nr,
		      const struct diff_late *late);

#endif /* KPROF_DIFF_STACKS_H */
