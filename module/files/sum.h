/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sum.h - a table of counts that grows, in which those of all CPUs are added up
 */
#ifndef KPROF_SUM_H
#define KPROF_SUM_H

#include <linux/types.h>

struct kprof_counts;

int kprof_sum_init(struct kprof_counts *sum);
int kprof_sum_add(struct kprof_counts *sum, u64 key, u64 n, u64 weight);
int kprof_sum_add_all(struct kprof_counts *sum, const struct kprof_counts *counts);

#endif /* KPROF_SUM_H */
