/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * discovery.h - tests of several runs against several others, and many such tests at once
 *
 * The runs may be of several machines. These differ from each other more than the sides do, so they
 * are compared within each machine.
 *
 * Where thousands of rows are tested, some differ by chance. After Benjamini and Hochberg a test
 * is a discovery if its adjusted chance is at most a level: then of all discoveries, on average no
 * more than that share is by chance; and where nothing differs, at most that share of the
 * comparisons report anything. This holds for tests that are independent, or that go up and
 * down together, as the rows of one run do.
 */
#ifndef KPROF_DISCOVERY_H
#define KPROF_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/interval.h"

/*
 * The moments of those of @nr values that are numbers. The variance of equal values is exactly 0.
 */
struct moments moments_of_values(const double *value, size_t nr);

/*
 * The chance that the means of two groups of runs differ this much if nothing differs. By Welch's
 * t test if there is any spread. If not, that is, each side has one value that all its runs have,
 * it is the chance of such an order of the runs (a permutation test: 0.1 for 3 runs against 3,
 * 0.029 for 4 against 4). @are_counts: if the values count independent events, and there are
 * enough, the chance may be the smaller one of a Poisson distribution.
 * Each group must have at least two values.
 */
double runs_chance(const struct moments *a, const struct moments *b, bool are_counts);

/* How the sides differ within machines. */
struct runs_within {
	double nr[2];			/* runs of machines that have any of the other side */
	bool all_equal;			/* each machine has one value */
	double difference;		/* B - A; NAN: no machine has both */
	struct interval confidence;	/* of it; 95 % */
	double chance;			/* as of runs_chance() */
};

/*
 * Compare the sides by least squares, with a mean for each machine: Student's t, with a degree of
 * freedom less for each. @value has @nr_a values of A, and then @nr_b of B, NAN where there is
 * none; number I of a side is of machine I modulo @machines. The interval is known, and the chance
 * may be below 1, if nr[] has at least two runs of each side.
 */
struct runs_within runs_within(const double *value, size_t nr_a, size_t nr_b, size_t machines,
			       bool are_counts);

/* Replace each chance by its adjusted one. */
void discovery_adjust(double *chance, size_t nr);

#endif /* KPROF_DISCOVERY_H */
