// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_entries.c - of two sides of stacks: what the kernel was entered for
 *
 * That is the first function of a stack below the code by which the kernel is entered: of a system
 * call, a fault, an interrupt.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/next.h"
#include "diff/diff_stacks.h"
#include "lib/mem.h"

static bool is_entry(const struct folded *f, uint32_t node)
{
	return node && next_is_entry(f->names.name[f->node[node].name].text);
}

/* By node, the outermost on its way that has an entry above it and is none; 0: there is none. */
static uint32_t *find_entered(const struct folded *f)
{
	uint32_t *entered = mem_zalloc((size_t)f->nr_nodes + 1, sizeof(*entered)), i;

	for (i = 1; i < f->nr_nodes; i++) {
		uint32_t parent = f->node[i].parent;

		entered[i] = entered[parent];
		if (!entered[i] && is_entry(f, parent) && !is_entry(f, i))
			entered[i] = i;
	}
	return entered;
}

static int largest_first(const void *va, const void *vb)
{
	const struct diff_function *a = va, *b = vb;
	folded_count by = fabsl(b->total_change) - fabsl(a->total_change);

	return by > 0 ? 1 : by < 0 ? -1 : strcmp(a->name, b->name);
}

struct diff_function *diff_entries(const struct folded *f, const struct diff_scale *scale,
				   size_t *nr)
{
	struct diff_function *entry = mem_zalloc(f->names.nr, sizeof(*entry));
	uint32_t *entered = find_entered(f), i;

	*nr = 0;
	for (i = 1; i < f->nr_nodes; i++) {
		struct diff_function *one = &entry[f->node[entered[i]].name];

		if (!entered[i])
			continue;
		one->total[0] += f->self[i].before;
		one->total[1] += f->self[i].after;
	}
	free(entered);
	for (i = 0; i < f->names.nr; i++) {
		entry[i].name = f->names.name[i].text;
		entry[i].total_change = diff_change(scale, entry[i].total);
		if (entry[i].total[0] || entry[i].total[1])
			entry[(*nr)++] = entry[i];
	}
	if (*nr)
		qsort(entry, *nr, sizeof(*entry), largest_first);
	return entry;
}
