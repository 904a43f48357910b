// SPDX-License-Identifier: GPL-2.0-only
/*
 * discovery.c - tests of several runs against several others, and many such tests at once
 *
 * Why not a permutation test everywhere: of 3 runs against 3 there are 20 orders, so no chance is
 * below 0.1; of 5 against 5 none is below 0.008. With hundreds of rows nothing could ever be found.
 * Welch's test has no such bound, because it assumes that the runs vary as a normal distribution
 * does. With as many runs on both sides it errs on the safe side, if at all.
 *
 * Of several machines, what is the same on both sides of one has no part in the test. What is not,
 * as a difference that is larger on a slow machine, counts as spread.
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

/* In how many orders the runs can be. */
static double orders_of(double nr_a, double nr_b)
{
	double orders = 1, i;

	for (i = 1; i <= nr_b; i++)
		orders *= (nr_a + i) / i;
	return orders;
}

/* The chance that of all orders of the runs it is the one (or its mirror image) that parts them. */
static double order_chance(double nr_a, double nr_b)
{
	return (nr_a == nr_b ? 2 : 1) / orders_of(nr_a, nr_b);
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

/* --- within machines --- */

/* The runs of one machine. */
struct machine {
	struct moments side[2];
	double difference, weight;	/* of the means; their error is the root of 1 / weight */
};

static struct moments moments_of_machine(const double *value, size_t nr, size_t machine,
					 size_t machines, double *scratch)
{
	size_t i, k = 0;

	for (i = machine; i < nr; i += machines)
		scratch[k++] = value[i];
	return moments_of_values(scratch, k);
}

/* Those that have runs of both sides. The others say nothing of the difference. */
static size_t find_machines(struct machine *m, const double *value, size_t nr_a, size_t nr_b,
			    size_t machines)
{
	double *scratch = mem_zalloc(nr_a > nr_b ? nr_a : nr_b, sizeof(*scratch));
	size_t i, nr = 0;

	for (i = 0; i < machines; i++) {
		struct moments a = moments_of_machine(value, nr_a, i, machines, scratch);
		struct moments b = moments_of_machine(value + nr_a, nr_b, i, machines, scratch);

		if (a.nr && b.nr)
			m[nr++] = (struct machine){ { a, b }, b.mean - a.mean,
						    a.nr * b.nr / (a.nr + b.nr) };
	}
	free(scratch);
	return nr;
}

/* What is summed up over the machines. */
struct sums {
	double weight, runs, orders;
	double within;		/* squares, of runs about their side's mean on their machine */
	double between;		/* squares, of the machines' differences about their mean */
	double largest;		/* mean */
};

static struct sums add_up(const struct machine *m, size_t nr, struct runs_within *w)
{
	struct sums s = { .orders = 1 };
	double all = 0;
	size_t i;
	int k;

	w->all_equal = true;
	for (i = 0; i < nr; i++) {
		s.weight += m[i].weight;
		all += m[i].weight * m[i].difference;
		s.orders *= orders_of(m[i].side[0].nr, m[i].side[1].nr);
		for (k = 0; k < 2; k++) {
			const struct moments *side = &m[i].side[k];

			w->nr[k] += side->nr;
			s.within += side->variance * (side->nr - 1);
			s.largest = fmax(s.largest, fabs(side->mean));
		}
		w->all_equal &= !s.within && !m[i].difference;
	}
	w->difference = nr ? all / s.weight : NAN;
	for (i = 0; i < nr; i++) {
		double off = m[i].difference - w->difference;

		/* What is only rounded is no spread. */
		if (fabs(off) > s.largest / 1e12)
			s.between += m[i].weight * off * off;
	}
	s.runs = w->nr[0] + w->nr[1];
	return s;
}

/* The chance where each machine has the same difference, always: of such an order of its runs. */
static double certain_chance(const struct runs_within *w, const struct sums *s,
			     const struct moments *a, const struct moments *b, bool are_counts)
{
	double chance = fmin(2 / s->orders, 1);

	if (w->all_equal)
		return 1;
	return are_counts ? fmin(chance, poisson_chance(a, b)) : chance;
}

struct runs_within runs_within(const double *value, size_t nr_a, size_t nr_b, size_t machines,
			       bool are_counts)
{
	struct machine *m = mem_zalloc(machines, sizeof(*m));
	struct runs_within w = { .chance = 1 };
	size_t nr = find_machines(m, value, nr_a, nr_b, machines);
	struct sums s = add_up(m, nr, &w);
	/* Where a machine does the same each time, only the machines tell how much it varies. */
	double degrees = s.within > 0 ? s.runs - nr - 1 : nr - 1.0, error;

	free(m);
	if (w.nr[0] < 2 || w.nr[1] < 2)
		return w;
	w.confidence = (struct interval){ true, w.difference, w.difference };
	if (s.within + s.between <= 0) {
		struct moments a = moments_of_values(value, nr_a);
		struct moments b = moments_of_values(value + nr_a, nr_b);

		w.chance = certain_chance(&w, &s, &a, &b, are_counts);
		return w;
	}
	error = sqrt((s.within + s.between) / degrees / s.weight);
	w.chance = student_chance(w.difference * w.difference / error / error, degrees);
	error *= student_quantile(0.975, degrees);
	w.confidence.low -= error;
	w.confidence.high += error;
	return w;
}

/* --- many tests --- */

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
