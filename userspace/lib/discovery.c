// SPDX-License-Identifier: GPL-2.0-only
/*
 * discovery.c - tests of several runs against several others, and many such tests at once
 *
 * Why not a permutation test everywhere: of 3 runs against 3 there are 20 orders, so no chance is
 * below 0.1; of 5 against 5 none is below 0.008. With hundreds of rows nothing could ever be found.
 * Welch's test has no such bound, because it assumes that the runs vary as a normal distribution
 * does. With as many runs on both sides it errs on the safe side, if at all.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/discovery.h"
#include "lib/mem.h"

/* Below this, counts tell too little about their distribution. */
#define MIN_EVENTS	20

struct moments moments_of_values(const double *value, size_t nr)
{
	struct moments m = { 0 };
	double first = 0, sum = 0, squares = 0, off;
	size_t i;

	/* Sums of what differs from the first value are exact if nothing does. */
	for (i = 0; i < nr; i++) {
		if (isnan(value[i]))
			continue;
		if (!m.nr++)
			first = value[i];
		sum += value[i] - first;
	}
	if (!m.nr)
		return m;
	m.mean = first + sum / m.nr;
	for (i = 0; i < nr; i++) {
		off = isnan(value[i]) ? 0 : value[i] - m.mean;
		squares += off * off;
	}
	if (m.nr >= 2)
		m.variance = squares / (m.nr - 1);
	return m;
}

/* The chance that of all orders of the runs it is the one (or its mirror image) that parts them. */
static double order_chance(double nr_a, double nr_b)
{
	double orders = 1, i;

	for (i = 1; i <= nr_b; i++)
		orders *= (nr_a + i) / i;
	return (nr_a == nr_b ? 2 : 1) / orders;
}

/* The chance that counts of one rate differ as much; by the normal distribution. */
static double poisson_chance(const struct moments *a, const struct moments *b)
{
	double error = sqrt(a->mean / a->nr + b->mean / b->nr);

	if (a->mean * a->nr + b->mean * b->nr < MIN_EVENTS)
		return 1;
	return erfc(fabs(b->mean - a->mean) / error / sqrt(2));
}

double runs_chance(const struct moments *a, const struct moments *b, bool are_counts)
{
	double chance;

	if (a->variance + b->variance > 0)
		return welch_chance(a, b);
	if (a->mean == b->mean)
		return 1;
	chance = order_chance(a->nr, b->nr);
	return are_counts ? fmin(chance, poisson_chance(a, b)) : chance;
}

static int smallest_first(const void *va, const void *vb)
{
	double a = **(double *const *)va, b = **(double *const *)vb;

	return (a > b) - (a < b);
}

void discovery_adjust(double *chance, size_t nr)
{
	double **sorted = mem_zalloc(nr, sizeof(*sorted)), least = 1;
	size_t i;

	for (i = 0; i < nr; i++)
		sorted[i] = &chance[i];
	if (nr)
		qsort(sorted, nr, sizeof(*sorted), smallest_first);
	for (i = nr; i > 0; i--) {
		least = fmin(least, *sorted[i - 1] * (double)nr / (double)i);
		*sorted[i - 1] = least;
	}
	free(sorted);
}
