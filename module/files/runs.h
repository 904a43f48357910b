/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * runs.h - sorts sequences of numbers in lexicographic order
 *
 * The unit tests compile this for the host, too.
 */
#ifndef KPROF_RUNS_H
#define KPROF_RUNS_H

#include <linux/types.h>

/**
 * struct kprof_run - a sequence of numbers
 * @word:	the numbers
 * @nr:		number of them
 */
struct kprof_run {
	u32 *word;
	u32 nr;
};

void kprof_runs_sort(struct kprof_run **run, u32 nr);
u32 kprof_runs_shared(const struct kprof_run *one, const struct kprof_run *other);

#endif /* KPROF_RUNS_H */
