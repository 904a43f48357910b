// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_tree.c - stacks as a tree with branches sorted by size
 */
#include <stdlib.h>

#include "lib/mem.h"
#include "report/report_print.h"
#include "report/report_tree.h"

const char *const report_tree_names[] = { "down", "up", NULL };

static int by_parent_and_total(const void *va, const void *vb, void *arg)
{
	const struct report_tree *t = arg;
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const struct folded_node *node = t->folded.node;

	if (node[a].parent != node[b].parent)
		return node[a].parent < node[b].parent ? -1 : 1;
	if (t->total[a] != t->total[b])
		return t->total[a] > t->total[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

void report_tree_make(struct report_tree *t, const struct data *d,
		      const struct data_fold_options *fold, enum folded_mode mode)
{
	uint32_t i, nr, at = 0;

	folded_init(&t->folded, mode);
	data_fold_tally(d, fold, &t->folded);
	t->total = folded_totals(&t->folded);
	nr = t->folded.nr_nodes;
	t->child = mem_zalloc(nr, sizeof(*t->child));
	t->first = mem_zalloc(nr + 1, sizeof(*t->first));
	for (i = 1; i < nr; i++)	/* node 0 has no parent */
		t->child[i - 1] = i;
	qsort_r(t->child, nr - 1, sizeof(*t->child), by_parent_and_total, t);
	for (i = 0; i < nr; i++) {
		t->first[i] = at;
		while (at < nr - 1 && t->folded.node[t->child[at]].parent == i)
			at++;
	}
	t->first[nr] = at;
}

void report_tree_free(struct report_tree *t)
{
	free(t->total);
	free(t->child);
	free(t->first);
	folded_free(&t->folded);
}

const char *report_tree_name(const struct report_tree *t, uint32_t node)
{
	return t->folded.names.name[t->folded.node[node].name].text;
}

double report_tree_percent(const struct report_tree *t, uint32_t node)
{
	return 100 * (double)(t->total[node] / t->total[0]);
}

uint32_t report_tree_only_child(const struct report_tree *t, uint32_t node)
{
	uint32_t child = t->child[t->first[node]];

	return t->first[node + 1] - t->first[node] == 1 && t->total[child] == t->total[node] ?
	       child : 0;
}
