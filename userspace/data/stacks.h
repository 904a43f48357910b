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

/* Load two files as one differential: the counts of @path[0] are the "before" counts. */
struct stacks_two {
	folded_count total[2];
	struct data_unit unit;	/* of recordings; for text its name is "" */
};

int stacks_load_two(char *const path[2], const struct data_fold_options *options,
		    struct folded *out, struct stacks_two *two);

#endif /* KPROF_STACKS_H */
