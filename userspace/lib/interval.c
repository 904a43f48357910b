// SPDX-License-Identifier: GPL-2.0-only
/*
 * interval.c - confidence intervals: of a difference of means, and of a quantile
 */
#include <float.h>
#include <math.h>

#include "lib/interval.h"

/* Continued fraction of the incomplete beta function, after Lentz. */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = DBL_MIN;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f, term;
	int m;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (m = 1; m < 10000; m++) {
		term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 + term * d;
		c = 1 + term / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		f *= d * c;
		term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 + term * d;
		c = 1 + term / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		f *= d * c;
		if (fabs(d * c - 1) < 8 * DBL_EPSILON)
			break;
	}
	return f;
}

/* The regularized incomplete beta function: from 0 at x = 0 to 1 at x = 1. */
static double incomplete_beta(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	/* The fraction converges quickly on this side of the mean. */
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

static double student_below(double t, double degrees)
{
	return 1 - incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
}

double student_quantile(double p, double degrees)
{
	double low = 0, high = 1, mid;
	int i;

	/* Above this, the distribution differs from the normal one by less than a millionth. */
	if (degrees > 1e7)
		degrees = 1e7;
	while (student_below(high, degrees) < p && high < 1e12)
		high *= 2;
	for (i = 0; i < 100; i++) {
		mid = (low + high) / 2;
		if (mid <= low || mid >= high)	/* no number is between them */
			break;
		if (student_below(mid, degrees) < p)
			low = mid;
		else
			high = mid;
	}
	return (low + high) / 2;
}

/* The degrees of freedom, after Welch and Satterthwaite, of means with these squared errors. */
static double welch_degrees(double va, double nr_a, double vb, double nr_b)
{
	return (va + vb) * (va + vb) / (va * va / (nr_a - 1) + vb * vb / (nr_b - 1));
}

double student_chance(double square, double degrees)
{
	return incomplete_beta(degrees / (degrees + square), degrees / 2, 0.5);
}

double welch_chance(const struct moments *a, const struct moments *b)
{
	double va = a->variance / a->nr, vb = b->variance / b->nr, difference = b->mean - a->mean;
	double degrees = welch_degrees(va, a->nr, vb, b->nr);

	return student_chance(difference * difference / (va + vb), degrees);
}

struct interval welch_interval(const struct moments *a, const struct moments *b)
{
	double va = a->variance / a->nr, vb = b->variance / b->nr, error;
	double difference = b->mean - a->mean;

	if (a->nr < 2 || b->nr < 2)
		return (struct interval){ 0 };
	if (va + vb <= 0)	/* all values of each side are equal */
		return (struct interval){ true, difference, difference };
	error = student_quantile(0.975, welch_degrees(va, a->nr, vb, b->nr)) * sqrt(va + vb);
	return (struct interval){ true, difference - error, difference + error };
}

struct interval quantile_ranks(double nr, double p)
{
	double middle = nr * p, error = INTERVAL_Z95 * sqrt(nr * p * (1 - p));
	struct interval ranks = { .low = floor(middle - error), .high = ceil(middle + error) + 1 };

	ranks.known = ranks.low >= 1 && ranks.high <= nr;
	return ranks;
}

struct interval difference_interval(double a, struct interval ca, double b, struct interval cb)
{
	double difference = b - a;

	return (struct interval){
		.known = ca.known && cb.known,
		.low = difference - hypot(b - cb.low, ca.high - a),
		.high = difference + hypot(cb.high - b, a - ca.low),
	};
}
