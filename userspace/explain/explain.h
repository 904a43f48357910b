/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain.h - which keys of its calls explain how long a function takes
 *
 * A table of latencies by several keys at once has, for each key and each pair
 * of them, the calls of each value: how much of the variance of the latency lies
 * between values, not inside of them, is what the key explains (eta squared).
 */
#ifndef KPROF_EXPLAIN_H
#define KPROF_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lat/lat.h"

#define EXPLAIN_MAX_KEYS	6	/* of a target, as the module has it */
#define EXPLAIN_SHOWN		4	/* values of a key that are told */

/* --- keys and their values (explain_keys.c) --- */

enum explain_kind {
	EXPLAIN_CONSTANT,	/* one value: explains nothing */
	EXPLAIN_EXACT,		/* each value by itself */
	EXPLAIN_LOG2,		/* powers of two: there were too many */
	EXPLAIN_FREQUENT,	/* the frequent values, and the others */
	EXPLAIN_ADDRESSES,	/* too many, and no numbers that could be bucketed: left out */
};

struct explain_key {
	const char *text;	/* as it was given to the module */
	enum explain_kind kind;
	size_t distinct;	/* values that were seen */
	bool addresses;		/* most of them are */
	const char **name;	/* by number of the value that it counts as */
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
	uint64_t calls, without;	/* without: that found no room in the table of rows */
	struct arena texts;
};

/*
 * From the rows of a target; @t must outlive it. -1 where its contexts are not
 * those of keys, with @error set. Free it in both cases.
 */
int explain_group_make(struct explain_group *g, const struct lat_table *t, const char *target,
		       char error[256]);
void explain_group_free(struct explain_group *g);

/* --- what they explain (explain_rank.c) --- */

/* A value, or a pair of values, beside all other calls. */
struct explain_value {
	uint32_t value[2];
	uint64_t calls;
	double total;		/* nanoseconds */
	double ratio;		/* its average by that of the others */
	double excess;		/* nanoseconds that its calls take longer than others in all */
};

struct explain_finding {
	const struct explain_group *group;
	int key[2];		/* key[1] < 0: one key */
	double explains;	/* share of the variance, adjusted for the number of values */
	bool outliers;		/* ... with the very longest calls in it */
	uint32_t values;	/* with enough calls to tell */
	struct explain_value worst[EXPLAIN_SHOWN];	/* by what they cost */
	int nr_worst;
};

struct explain {
	const char *target;
	const char *net;	/* what was taken off latencies, in lines; NULL: nothing */
	uint64_t calls;		/* of the group that has the most */
	double total;
	struct explain_finding *finding;	/* what explains most comes first */
	size_t nr, room;
};

/* Add what the keys of a group explain, and its pairs of keys. */
void explain_add(struct explain *e, const struct explain_group *g);
/* Best first; pairs that say no more than one of their keys go. */
void explain_finish(struct explain *e);
void explain_free(struct explain *e);

/* Below this share of the variance nothing is claimed. */
#define EXPLAIN_LEAST	0.05

/* Fewer calls of a value say nothing by themselves. */
#define EXPLAIN_FEW	20

/* --- showing it (explain_text.c) --- */

void explain_print(const struct explain *e, const struct explain_group *group, int nr_groups,
		   FILE *out);

#endif /* KPROF_EXPLAIN_H */
