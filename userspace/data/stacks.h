/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - load folded stacks from a recording or from folded text
 */
#ifndef KPROF_STACKS_H
#define KPROF_STACKS_H

#include "data/data_fold.h"

/*
 * Add the stacks of a file ("-": standard input) to @out, after folded_init().
 * @options are for recordings; NULL: the defaults. Returns EXIT_OK; EXIT_LOST,
 * after a message, if the result is incomplete; EXIT_ERROR or EXIT_USAGE.
 */
int stacks_load(const char *path, const struct data_fold_options *options, struct folded *out);

/*
 * One of two files to compare. It is read once and to its end, because it may be a pipe, and the
 * writer of both may be one process that writes one after the other.
 */
struct stacks_side {
	const char *name;
	bool is_recording;
	struct data data;	/* of a recording */
	struct folded text;	/* of folded text */
	struct buf json;	/* of JSON, which is taken where asked to */
};

/* Read one file, as stacks_read_two() does each. Call stacks_close_side() in all cases. */
int stacks_read_side(struct stacks_side *side, const char *path, const char *recording_only,
		     bool json_too);
void stacks_close_side(struct stacks_side *side);

/*
 * Read two files, of which one may be "-", standard input. @recording_only is as in struct
 * data_fold_options. @json_too: JSON is read, too. Returns EXIT_OK, or EXIT_ERROR or EXIT_USAGE
 * after a message. Call stacks_close_two() in all cases.
 */
int stacks_read_two(struct stacks_side side[2], char *const path[2], const char *recording_only,
		    bool json_too);
void stacks_close_two(struct stacks_side side[2]);

/*
 * Add both sides to @out as one differential: the counts of side[0] are the "before" counts.
 * Returns as stacks_load().
 */
struct stacks_two {
	folded_count total[2];
	struct data_unit unit[2];	/* of recordings; for text its name is "" */
};

int stacks_compare(struct stacks_side side[2], const struct data_fold_options *options,
		   struct folded *out, struct stacks_two *two);

#endif /* KPROF_STACKS_H */
