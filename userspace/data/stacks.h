/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - load folded stacks from a recording or from folded text
 */
#ifndef KPROF_STACKS_H
#define KPROF_STACKS_H

#include "data/data_fold.h"

/*
 * Add the stacks of a file ("-": standard input) to @out, after folded_init().
 * Of @options, a text has the filters that it can answer. Returns EXIT_OK; EXIT_LOST,
 * after a message, if the result is incomplete; EXIT_ERROR or EXIT_USAGE.
 */
int stacks_load(const char *path, const struct data_fold_options *options, struct folded *out);

/*
 * One of two files to compare. It is read once and to its end, because it may be a pipe, and the
 * writer of both may be one process that writes one after the other.
 */
struct stacks_side {
	const char *path;	/* as it was given; "-": standard input */
	const char *name;	/* what it is called */
	bool is_recording;
	struct data data;	/* of a recording */
	struct folded text;	/* of folded text: the part that the options select */
	struct buf json;	/* of JSON, which is taken where asked to */
};

/* Read one file, as stacks_read_two() does each. Call stacks_close_side() in all cases. */
int stacks_read_side(struct stacks_side *side, const char *path,
		     const struct data_fold_options *options, bool json_too);
void stacks_close_side(struct stacks_side *side);

/*
 * Read two files, of which one may be "-", standard input. @options are of a text, as in
 * stacks_load(); NULL: all of it. @json_too: JSON is read, too. Returns EXIT_OK, or EXIT_ERROR or
 * EXIT_USAGE after a message. Call stacks_close_two() in all cases.
 */
int stacks_read_two(struct stacks_side side[2], char *const path[2],
		    const struct data_fold_options *options, bool json_too);
void stacks_close_two(struct stacks_side side[2]);

/* EXIT_ERROR, after a message, if it is a recording in which nothing was captured. */
int stacks_refuse_empty(const struct stacks_side *side);

/* Whether two sides are compared by what they counted, or by shares of their totals. */
enum stacks_by { STACKS_BY_LENGTH, STACKS_BY_SHARES, STACKS_BY_COUNTS };

struct stacks_two {
	folded_count total[2];
	struct data_unit unit[2];	/* of recordings; for text its name is "" */
	/* Set by stacks_choose(): */
	bool unlike;		/* one is a text, whose counts may be anything */
	bool by_shares;
	enum stacks_by asked;
	double longer;		/* B in terms of A; 0: of about the same length */
	bool is_duration;	/* in time, not by the totals */
};

/*
 * Add both sides to @out as one differential: the counts of side[0] are the "before" counts.
 * Returns as stacks_load().
 */

int stacks_compare(struct stacks_side side[2], const struct data_fold_options *options,
		   struct folded *out, struct stacks_two *two);

/*
 * Choose between counts and shares, which a longer side does not have more of. Returns EXIT_OK, or
 * EXIT_USAGE after a message if counts are asked for and mean nothing.
 */
int stacks_choose(const struct stacks_side side[2], struct stacks_two *two, enum stacks_by asked);

/* Append why it is shares: "B was recorded for 9.84 times as long as A". */
void stacks_why_shares(const struct stacks_side side[2], const struct stacks_two *two,
		       struct buf *text);

/* Evaluate --normalize and --no-normalize. EXIT_OK, or EXIT_USAGE, after a message, of both. */
int stacks_by_of_options(bool shares, bool counts, enum stacks_by *by);

#define STACKS_SHARES_HELP \
	"compare shares of the totals: the default of two sides if\n" \
	"one side is longer by more than 10 %, or a text beside a\n" \
	"recording"
#define STACKS_COUNTS_HELP	"compare times and counts: of the same work, say"

#endif /* KPROF_STACKS_H */
