// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_next.c - after two recordings of samples: how to tell more calls from slower calls
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff_stacks.h"
#include "lib/mem.h"

#define NEXT_MAX	5
#define NEXT_LEAST	0.02	/* of the larger total */

/* A function, and by how much it differs, in what is compared. */
struct differing {
	const struct next_function *f;
	double change;
};

static int largest_first(const void *va, const void *vb)
{
	const struct differing *a = va, *b = vb;

	if (a->change != b->change)
		return a->change > b->change ? -1 : 1;
	return strcmp(a->f->name, b->f->name);
}

/* Those that differ by more than chance and more than @least, most first. Free the result. */
static struct differing *find_differing(const struct next *n, const struct diff_scale *scale,
					double least, size_t *nr)
{
	struct differing *d = mem_zalloc(n->nr + 1, sizeof(*d));
	size_t i;

	*nr = 0;
	for (i = 0; i < n->nr; i++) {
		const struct next_function *f = &n->function[i];
		const folded_count count[2] = { f->count[0], f->count[1] };
		double change = fabsl(diff_change(scale, count));

		if (change > fmax(diff_chance(scale, count), least))
			d[(*nr)++] = (struct differing){ f, change };
	}
	if (*nr)
		qsort(d, *nr, sizeof(*d), largest_first);
	return d;
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
	double least = NEXT_LEAST * fmax(o->scale.by[0] * o->total[0],
					 o->scale.by[1] * o->total[1]);
	struct buf functions = { 0 };
	struct differing *differing;
	size_t i, nr;

	if (!l->is_known)
		return;
	differing = find_differing(&l->next, &o->scale, least, &nr);
	for (i = 0; i < nr && i < NEXT_MAX; i++)
		buf_printf(&functions, " %s", differing[i].f->name);
	free(differing);
	if (nr) {
		puts("# next, whether that is more calls or slower calls, which samples do not tell:");
		print_command(&l->side[0], 'A', functions.data);
		print_command(&l->side[1], 'B', functions.data);
		puts("#   kprof diff a.lat b.lat");
	}
	buf_free(&functions);
}
