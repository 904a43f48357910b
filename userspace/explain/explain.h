/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain.h - find the keys that explain the latency of a function
 *
 * The input is a table of latencies by several keys at once. The calls are
 * grouped by the values of each key and of each pair of keys. A key explains
 * that share of the variance of the latency which lies between the groups, not
 * within them (eta squared).
 */
#ifndef KPROF_EXPLAIN_H
#define KPROF_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lat/lat.h"

#define EXPLAIN_MAX_KEYS	6	/* keys of a target, as in the module */
#define EXPLAIN_SHOWN		4	/* how many values of a key are shown */

/* --- a context: KEY=VALUE,KEY=VALUE (explain_context.c) --- */

/* A key and its value; both end at their lengths. */
struct explain_piece {
	const char *key, *value;
	size_t key_len, value_len;
};

/* Split a context into keys. Returns how many, or -1 if it does not consist of keys. */
int explain_take_apart(const char *context, struct explain_piece piece[EXPLAIN_MAX_KEYS]);

/* --- keys and their values (explain_keys.c) --- */

enum explain_kind {
	EXPLAIN_CONSTANT,	/* a single value: explains nothing */
	EXPLAIN_EXACT,		/* each value is a group */
	EXPLAIN_LOG2,		/* too many values: grouped by powers of two */
	EXPLAIN_FREQUENT,	/* the frequent values, and all others as one group */
	EXPLAIN_ADDRESSES,	/* too many addresses: left out, as buckets make no sense */
};

struct explain_key {
	const char *text;	/* as it was given to the module */
	enum explain_kind kind;
	size_t distinct;	/* number of different values */
	bool addresses;		/* most values are addresses */
	const char **name;	/* names of the groups, indexed by explain_row.value */
	uint32_t nr_names;
};

/* A row of the table: calls with the same values of all keys. */
struct explain_row {
	const struct lat_row *row;
	uint32_t value[EXPLAIN_MAX_KEYS];
};

struct explain_group {
	struct explain_key key[EXPLAIN_MAX_KEYS];
	int nr_keys;
	struct explain_row *row;
	size_t nr_rows;
	uint64_t calls, without;	/* without: calls that found the module's table full */
	int round;			/* in which it was measured; 0: a recording */
	struct arena texts;
};

/*
 * Make a group of the rows of a target; @t must outlive it. Returns -1 with
 * @error set if the contexts of the rows are not keys. Free it in both cases.
 */
int explain_group_make(struct explain_group *g, const struct lat_table *t, const char *target,
		       char error[256]);
void explain_group_free(struct explain_group *g);

/* --- times of calls, longest first (explain_times.c) --- */

struct explain_time {
	double ns;
	uint64_t calls;
};

struct explain_times {
	struct explain_time *time;
	size_t nr, room;
	double calls;
};

/* Add the calls of a row. After the last one, sort. */
void explain_times_add(struct explain_times *t, const struct lat_row *row);
void explain_times_sort(struct explain_times *t);
/* The time that only @rank calls exceed. */
double explain_times_below(const struct explain_times *t, double rank);
/*
 * By how much the longest calls, @most at most, take longer than @base in all; those by less than
 * @least do not count, nor do those by more than twice @cap, and the others by no more than @cap.
 * @calls: how many there are.
 */
double explain_times_above(const struct explain_times *t, double most, double base, double least,
			   double cap, double *calls);
void explain_times_free(struct explain_times *t);

/* --- what they explain (explain_rank.c) --- */

/* A value, or a pair of values, compared with all other calls. */
struct explain_value {
	uint32_t value[2];
	uint64_t calls;
	double total;		/* nanoseconds */
	double ratio;		/* its average divided by that of others; geometric if by_log */
	double excess;		/* how much longer its calls take than others, in all, in ns */
};

/* Values whose calls take longest, by how much longer than others in all. */
struct explain_worst {
	struct explain_value value[EXPLAIN_SHOWN];
	int nr;
};

struct explain_finding {
	const struct explain_group *group;
	int key[2];		/* key[1] < 0: one key */
	double explains;	/* share of the variance, adjusted for the number of values */
	bool outliers;		/* it explains clearly more with the very longest calls included */
	uint32_t values;	/* number of values with enough calls */
	struct explain_worst worst;
	/* The same of the logarithms of the times, which are taken if no share is large. */
	double log_explains;
	double log_weight;	/* variance between typical times: large if slow calls are told */
	struct explain_worst log_worst;
};

/* What was given to this command, and is to be given to the next; NULL: nothing. */
struct explain_again {
	const char *options;	/* " -a -d 5" */
	const char *filters;	/* " if=..." and " min=..." */
	const char *command;	/* " -- make" */
	bool net;		/* --net, which only lat and explain have */
};

struct explain {
	const char *target;
	struct explain_again again;
	const char *net;	/* lines on what was subtracted from latencies; NULL: nothing */
	uint64_t calls;		/* that have a row, of the group that has the most */
	int round;		/* in which that one was measured */
	double total;
	double longest;		/* share of the total that the longest few are longer than others */
	double longest_ns;	/* than this */
	bool by_log;		/* shares are of the logarithm of the latency */
	struct explain_finding *finding;	/* the best explanation comes first */
	size_t nr, room;
};

/* Add what the keys of a group and its pairs of keys explain. */
void explain_add(struct explain *e, const struct explain_group *g);
/* Are a row's calls those with a value of a finding? The row is of its group. */
bool explain_has_value(const struct explain_finding *f, const struct explain_row *row,
		       const struct explain_value *v);
/* Sort, best first, and drop pairs that explain no more than one of their keys. */
void explain_finish(struct explain *e);
void explain_free(struct explain *e);

/* --- which keys are worth another round (explain_choose.c) --- */

/* Add the keys of a group, changed so that they need fewer rows. */
void explain_coarser(const struct explain_group *g, struct buf *keys);
/* Add the three keys of a group that explain most, if they explain anything. */
void explain_best(const struct explain *e, const struct explain_group *g, struct buf *keys);
/* Is there nothing left to explain? After explain_finish(). */
bool explain_is_full(const struct explain *e);

/* A key that explains so much leaves nothing for callees. */
#define EXPLAIN_NEARLY_ALL	0.9

/* Smaller shares of the variance are not reported. */
#define EXPLAIN_LEAST	0.05

/* The longest calls are never taken as evidence. */
#define EXPLAIN_LONGEST	5

/* A value with fewer calls is not judged by itself. */
#define EXPLAIN_FEW	20

/* --- finer than by powers of two (explain_range.c) --- */

#define EXPLAIN_FINER		2	/* how many keys are looked at in finer steps */
#define EXPLAIN_CONDITIONS	4	/* of a target, as in the module */

/* A key that was seen by powers of two only, and between what its values are; high is outside. */
struct explain_coarse {
	char key[64];
	uint64_t low, high;
};

/*
 * Find the keys that were seen by powers of two only, with their values in the calls that have the
 * worst values of the best finding, if these were measured together. Returns how many.
 */
int explain_coarse_find(const struct explain *e, const struct explain_group *group, int nr_groups,
			struct explain_coarse coarse[EXPLAIN_FINER]);
/* Add conditions for the worst values of a finding; returns how many, or 0 if they are none. */
int explain_add_conditions(const struct explain_finding *f, struct buf *conditions);
/* Add linear(KEY,STEP), by which a key is in finer steps. */
void explain_add_steps(const struct explain_coarse *coarse, struct buf *keys);

/**
 * struct explain_range - values next to each other that slow calls have, and others do not
 * @low:	the first of them
 * @high:	the first that is not
 * @calls:	those that have them
 * @all:	all calls that were looked at
 * @its:	median of those that have them, in nanoseconds
 * @others:	median of the others
 */
struct explain_range {
	uint64_t low, high, calls, all;
	double its, others;
};

/*
 * In a table of @target by linear() keys: which values of the key of that number (from 0 on) tell
 * slow calls from others? Returns false if none do.
 */
bool explain_range_find(struct explain_range *r, const struct lat_table *t, const char *target,
			int key);

/* --- what is called (explain_inside.c) --- */

/**
 * struct explain_callee - a callee in which time of slow calls is
 * @function:	its name, as a target; belongs to the table
 * @place:	of its calls: the one where most of that time is, NAME+0xOFFSET; ends at @place_len
 * @place_len:	how long that is
 * @calls:	those from the function
 * @share:	of what the slow calls take longer; at most 1
 * @sure:	the same, if all that other calls take longer by chance were in it
 */
struct explain_callee {
	const char *function, *place;
	size_t place_len;
	uint64_t calls;
	double share, sure;
};

/**
 * struct explain_inside - how much of a function's slow calls is in what it calls
 * @calls:	of the function
 * @p50:	of them, in nanoseconds
 * @p99:	the same
 * @excess:	what they take above their median, as a share of all their time
 * @is_slow:	that is enough for slow calls to be told from others
 * @callee:	those with the largest shares, largest first
 */
struct explain_inside {
	uint64_t calls;
	double p50, p99, excess;
	bool is_slow;
	struct explain_callee callee[EXPLAIN_SHOWN];
	int nr;
};

/*
 * Of a table of a function without keys, and of its callees by caller. Does the first callee have
 * most of the slow calls' time?
 */
bool explain_inside_find(struct explain_inside *in, const struct lat_table *t,
			 const char *function);
/* Is the only key of a row the caller, and is that a place in the function? */
bool explain_is_called_by(const struct lat_row *row, const char *function);
/* Add a callee to those with the largest shares, if it has a share to speak of. */
void explain_inside_keep(struct explain_inside *in, const struct explain_callee *callee);

/* A callee that has less of the time is not what makes the function slow. */
#define EXPLAIN_MOST	0.5

/* --- what calls with the values found call (explain_where.c) --- */

/**
 * struct explain_slow - what calls with the values that were found take longer than others
 * @function:	whose calls they are
 * @calls:	all of its calls
 * @slow:	those with the values
 * @usual:	median of the others, in ns
 * @each:	what one with the values takes longer, in ns: nine of ten at most as much
 * @excess:	that of all of them, none of which counts for more than @each
 * @chance:	the same of the others that take longer by a good part of @each
 * @nr_chance:	how many these are
 */
struct explain_slow {
	const char *function;
	uint64_t calls, slow;
	double usual, each, excess, chance, nr_chance;
};

/*
 * Of a table of a function by the keys of @f: the calls with its worst values. Returns false if
 * they take no longer than others this time, or are too few.
 */
bool explain_slow_find(struct explain_slow *s, const struct lat_table *t, const char *function,
		       const struct explain_finding *f);

/*
 * Which callees of @parent, which is the function or called from there, have the time that the slow
 * calls take longer? The table has them by caller. Has the first callee most of it?
 */
bool explain_slow_inside(struct explain_inside *in, const struct lat_table *t,
			 const struct explain_slow *s, const char *parent);

/* --- from callee to callee (explain_chain.c) --- */

#define EXPLAIN_STEPS	3	/* how many callees are followed; each takes a round */

enum explain_end {
	EXPLAIN_GOES_ON,	/* it is to be followed further */
	EXPLAIN_TOO_DEEP,	/* there are more callees than are followed */
	EXPLAIN_NO_CALLEES,	/* none can be watched */
	EXPLAIN_NO_CALLEE,	/* none has most of the time */
	EXPLAIN_NOT_SURE,	/* one could have it, or it has other calls that take as long */
	EXPLAIN_NOT_AGAIN,	/* calls with the values took no longer this time */
	EXPLAIN_ELSEWHERE,	/* it is called mostly from elsewhere */
};

/* A callee that has most of the time, and the place where it is called, NAME+0xOFFSET. */
struct explain_step {
	const char *function, *place;
	double share;
};

/* Zero-initialise. Each step is what the one before calls. */
struct explain_chain {
	struct explain_step step[EXPLAIN_STEPS];
	int nr, round;		/* round: of the last measurement */
	enum explain_end end;	/* why it ends after these */
	struct buf others;	/* callees of the last step that have a share, each too small; or
				 * the one that could have it
				 */
	struct arena texts;
};

/* Add the step that a round tells, of @function by the keys of @f, and of callees by caller. */
void explain_chain_add(struct explain_chain *chain, const struct lat_table *t,
		       const char *function, const struct explain_finding *f, int round);
void explain_chain_free(struct explain_chain *chain);

/* --- showing it (explain_text.c, explain_text_inside.c) --- */

/* The keys of a finding, as they are given to lat. */
void explain_keys_of(const struct explain_finding *f, struct buf *keys);
/* Values of a finding: "$arg2=3, $arg3=5". */
void explain_print_values(const struct explain_finding *f, const struct explain_value *v,
			  FILE *out);
/*
 * A command to paste, with what was given to this one: 'kprof VERB WORDS'. @same: about the same
 * function, for which the filters hold, too.
 */
void explain_print_next(const struct explain_again *again, const char *verb, const char *words,
			bool same, FILE *out);

/* What explain_inside_find() has returned, and the next command. */
void explain_print_inside(const struct explain_inside *in, bool found, const char *function,
			  const struct explain_again *again, FILE *out);
/* None of what it calls could be measured: the next command. */
void explain_print_no_callees(const char *function, const struct explain_again *again, FILE *out);
/* Where calls with the values found are slow, in one sentence, and the next command. */
void explain_print_chain(const struct explain_chain *chain, const struct explain_finding *f,
			 const char *function, const struct explain_again *again, FILE *out);

/* What values of a key were found inside of the worst ones of a finding; NULL: none. */
void explain_print_range(const struct explain_range *r, const struct explain_coarse *coarse,
			 const struct explain *e, int round, FILE *out);

void explain_print(const struct explain *e, const struct explain_group *group, int nr_groups,
		   FILE *out);

#endif /* KPROF_EXPLAIN_H */
