/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interval.h - how sure a difference is that two samples show
 */
#ifndef KPROF_INTERVAL_H
#define KPROF_INTERVAL_H

#include <stdbool.h>

#define INTERVAL_Z95	1.959963984540054	/* 97.5 % of the normal distribution are below */

struct interval {
	bool known;		/* false: there are too few values to say */
	double low, high;
};

/* A sample as far as Welch's interval needs it. */
struct moments {
	double nr, mean, variance;	/* of the values: divided by nr - 1 */
};

/* The value below which Student's t is with probability @p, from 0.5 to below 1. */
double student_quantile(double p, double degrees);

/*
 * 95 % confidence interval of b->mean - a->mean, after Welch: the samples may
 * differ in size and variance. Both must have at least two values.
 */
struct interval welch_interval(const struct moments *a, const struct moments *b);

/*
 * The ranks, counted from 1, between which the quantile @p of the distribution
 * lies with 95 % confidence, whatever the distribution (a binomial proportion,
 * approximated by the normal distribution). Not known where one of them is no
 * rank of @nr values.
 */
struct interval quantile_ranks(double nr, double p);

/*
 * The interval of b - a where each of the two has its own: the margins are added
 * as squares (Zou and Donner's "method of variance estimates recovery").
 */
struct interval difference_interval(double a, struct interval ca, double b, struct interval cb);

#endif /* KPROF_INTERVAL_H */
