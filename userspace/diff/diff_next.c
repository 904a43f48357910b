// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_next.c - after two recordings of samples: how to tell more calls from slower calls
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff_stacks.h"
#include "lib/interval.h"

#define NEXT_MAX	5
#define NEXT_LEAST	0.02	/* of the larger total */

static double change(const struct next_function *f)
{
	return fabs(f->count[1] - f->count[0]);
}

static int largest_first(const void *va, const void *vb)
{
	const struct next_function *a = va, *b = vb;

	if (change(a) != change(b))
		return change(a) > change(b) ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void print_command(const struct stacks_side *side, char name, const char *functions)
{
	struct buf line = { 0 };

	next_add_command(&side->data, &line);
	printf("#   where %c was: kprof lat -o %c.lat --skip-missing%s%s\n", name, name + 'a' - 'A',
	       functions, line.data);
	buf_free(&line);
}

void diff_next(struct diff_late *l, const struct diff_next_options *o)
{
	double least = NEXT_LEAST * fmax(o->total[0], o->total[1]);
	struct buf functions = { 0 };
	struct next *n = &l->next;
	size_t i, nr = 0;

	if (!l->is_known)
		return;
	if (n->nr)
		qsort(n->function, n->nr, sizeof(*n->function), largest_first);
	for (i = 0; i < n->nr && nr < NEXT_MAX; i++) {
		const struct next_function *f = &n->function[i];
		double by_chance = INTERVAL_Z95 * sqrt(f->count[0] * o->grain[0] +
						       f->count[1] * o->grain[1]);

		if (change(f) <= fmax(by_chance, least))
			continue;
		buf_printf(&functions, " %s", f->name);
		nr++;
	}
	if (nr) {
		puts("# next, whether that is more calls or slower calls, which samples do not tell:");
		print_command(&l->side[0], 'A', functions.data);
		print_command(&l->side[1], 'B', functions.data);
		puts("#   kprof diff a.lat b.lat");
	}
	buf_free(&functions);
}
