// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_late.c - of two recordings of samples: functions that differ by ticks that came late
 *
 * Where interrupts are off no tick is taken. The next sample stands for all of them, in the
 * function that turns interrupts on: the difference is not its own, but that of its callers.
 */
#include <math.h>
#include <stdlib.h>

#include "diff/diff_stacks.h"

void diff_late_make(struct diff_late *l, const struct stacks_side side[2],
		    const struct diff_next_options *o)
{
	int i;

	*l = (struct diff_late){ .side = side, .scale = o->scale };
	if (!side[0].is_recording || !side[1].is_recording)
		return;
	/* As ticks, not as the time that they stand for: chance is of their number. */
	for (i = 0; i < 2 && o->scale.is_share; i++)
		l->next.worth[i] = o->scale.by[i] * o->scale.grain[i];
	for (i = 0; i < 2; i++) {
		if (tally_make(&l->tally[i], &side[i].data, o->query))
			return;
		l->nr_tallies++;
		next_add_ticks(&l->next, &side[i].data, &l->tally[i], i);
	}
	for (i = 0; i < 2; i++)
		next_add_counts(&l->next, &side[i].data, &l->tally[i], i, o->by_weight);
	l->is_time = o->is_time;
	l->is_known = true;
}

void diff_late_free(struct diff_late *l)
{
	while (l->nr_tallies)
		tally_free(&l->tally[--l->nr_tallies]);
	next_free(&l->next);
}

const struct next_function *diff_late_find(const struct diff_late *l, const char *shown)
{
	const struct next_function *f;

	if (!l->is_known || !l->is_time)
		return NULL;
	f = next_find_shown(&l->next, shown);
	return f && next_late_part(&l->next, f) >= NEXT_LATE_PART ? f : NULL;
}

void diff_late_print(struct diff_late *l, const struct next_function *f, double change)
{
	struct next_callers callers = { 0 };
	int side;

	for (side = 0; side < 2; side++)
		next_add_callers(&l->next, &l->side[side].data, &l->tally[side], f,
				 (side == 1) == (change > 0) ? l->scale.by[side] :
							       -l->scale.by[side], &callers);
	printf("# late: %.0f %% of what %s differs by came late: interrupts were off until then,\n"
	       "#   or the processor stood still; that is time of its callers",
	       100 * next_late_part(&l->next, f), f->name);
	next_print_callers(&l->next, &callers, fabs(change), stdout);
	putchar('\n');
	free(callers.ns);
}
