// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_times.c - how long calls took, longest first: a value that so many exceed, and sums
 *
 * A few calls that were interrupted for long are most of a mean and of a variance. They are few,
 * so a rank among the calls says more of the others.
 */
#include <math.h>
#include <stdlib.h>

#include "explain/explain.h"
#include "lib/mem.h"

void explain_times_add(struct explain_times *t, const struct lat_row *row)
{
	double low, high;
	size_t i;

	for (i = 0; i < row->nr_buckets; i++) {
		lat_bucket_bounds(row, &row->bucket[i], &low, &high);
		t->time = mem_grow(t->time, &t->room, t->nr + 1, sizeof(*t->time));
		t->time[t->nr++] = (struct explain_time){ (low + high) / 2, row->bucket[i].calls };
		t->calls += row->bucket[i].calls;
	}
}

static int longest_first(const void *va, const void *vb)
{
	const struct explain_time *a = va, *b = vb;

	return a->ns > b->ns ? -1 : a->ns < b->ns;
}

void explain_times_sort(struct explain_times *t)
{
	if (t->nr)
		qsort(t->time, t->nr, sizeof(*t->time), longest_first);
}

double explain_times_below(const struct explain_times *t, double rank)
{
	double above = 0;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		above += t->time[i].calls;
		if (above > rank)
			return t->time[i].ns;
	}
	return t->nr ? t->time[t->nr - 1].ns : 0;
}

/* Calls that exceed the cap by so much were interrupted. */
#define TOO_LONG	2

double explain_times_above(const struct explain_times *t, double most, double base, double least,
			   double cap, double *calls)
{
	double sum = 0, n;
	size_t i;

	*calls = 0;
	for (i = 0; i < t->nr && *calls < most; i++) {
		double above = t->time[i].ns - base;

		if (above <= 0 || above < least)
			break;
		if (above > TOO_LONG * cap)
			continue;
		n = fmin(t->time[i].calls, most - *calls);
		sum += n * fmin(above, cap);
		*calls += n;
	}
	return sum;
}

void explain_times_free(struct explain_times *t)
{
	free(t->time);
	*t = (struct explain_times){ 0 };
}
