/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_tree.h - stacks as a tree with branches sorted by size, from the root or from the leaves
 */
#ifndef KPROF_REPORT_TREE_H
#define KPROF_REPORT_TREE_H

#include "data/data_fold.h"

struct report_tree {
	struct folded folded;
	folded_count *total;	/* by node: its own count and those of all descendants */
	uint32_t *child;	/* all nodes, sorted by parent, then by total */
	uint32_t *first;	/* children of node i: child[first[i]] up to child[first[i + 1]] */
};

/* @mode: FOLDED_MERGE, or FOLDED_LEAF_FIRST for a tree that begins at the leaves. */
void report_tree_make(struct report_tree *t, const struct data *d,
		      const struct data_fold_options *fold, enum folded_mode mode);
void report_tree_free(struct report_tree *t);

const char *report_tree_name(const struct report_tree *t, uint32_t node);

/* The node's total, in per cent of the whole tree. */
double report_tree_percent(const struct report_tree *t, uint32_t node);

/* The only child, if it has all of its parent's count; else 0. */
uint32_t report_tree_only_child(const struct report_tree *t, uint32_t node);

#endif /* KPROF_REPORT_TREE_H */
