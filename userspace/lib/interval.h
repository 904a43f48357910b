/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interval.h - confidence intervals: of a difference of means, and of a quantile
 */
#ifndef KPROF_INTERVAL_H
#define KPROF_INTERVAL_H

#include <stdbool.h>

#define INTERVAL_Z95	1.959963984540054	/* 97.5th percentile of the normal distribution */

struct interval {
	bool known;		/* false: there are too few values */
	double low, high;
};

/* What Welch's interval needs to know of a sample. */
struct moments {
	double nr, mean, variance;	/* the variance is divided by nr - 1 */
};

/* The quantile @p of Student's t distribution; 0.5 <= @p < 1. */
double student_quantile(double p, double degrees);

/* The chance of a t whose square is at least @square, of either sign. */
double student_chance(double square, double degrees);

/*
 * 95 % confidence interval of b->mean - a->mean, after Welch: the samples may
 * differ in size and variance. Both must have at least two values.
 */
struct interval welch_interval(const struct moments *a, const struct moments *b);

/*
 * The chance that means of samples of one distribution differ at least as much, on either side,
 * by Welch's t test. Both must have at least two values, and one of them a variance.
 */
double welch_chance(const struct moments *a, const struct moments *b);

/*
 * The ranks, counted from 1, between which the quantile @p lies with 95 %
 * confidence. This holds for any distribution: the number of values below the
 * quantile is binomial, which is approximated by the normal distribution. The
 * interval is not known if one of the ranks is outside of 1 to @nr.
 */
struct interval quantile_ranks(double nr, double p);

/*
 * The interval of b - a, given the intervals of a and of b: the square root of the sum of
 * the squared margins (Zou and Donner's "method of variance estimates recovery").
 */
struct interval difference_interval(double a, struct interval ca, double b, struct interval cb);

#endif /* KPROF_INTERVAL_H */
