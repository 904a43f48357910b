/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff_stacks.h - compare two recordings of stacks, or two folded texts, by function
 */
#ifndef KPROF_DIFF_STACKS_H
#define KPROF_DIFF_STACKS_H

#include "data/stacks.h"

struct diff_stacks_options {
	struct data_fold_options part;
	long lines;		/* 0: all */
	bool csv;
};

/* EXIT_OK; EXIT_LOST, EXIT_ERROR or EXIT_USAGE after a message. */
int diff_stacks(struct stacks_side side[2], const struct diff_stacks_options *o);

#endif /* KPROF_DIFF_STACKS_H */
