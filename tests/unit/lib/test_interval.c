// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_interval.c - intervals, against values that were computed elsewhere
 */
#include <math.h>

#include "lib/interval.h"
#include "unit.h"

#define CHECK_NEAR(got, expected, error) \
	CHECK(fabs((got) - (expected)) <= (error))

/*
 * One degree of freedom is the Cauchy distribution: tan(pi * (p - 1/2)). Two:
 * (2p - 1) / sqrt(2p(1 - p)). The others are of the tables printed in textbooks.
 */
static void test_student(void)
{
	CHECK_NEAR(student_quantile(0.975, 1), 12.7062047362, 0.00000001);
	CHECK_NEAR(student_quantile(0.975, 2), 4.3026527297, 0.00000001);
	CHECK_NEAR(student_quantile(0.995, 2), 9.9248432009, 0.00000001);
	CHECK_NEAR(student_quantile(0.975, 5), 2.571, 0.0005);
	CHECK_NEAR(student_quantile(0.975, 10), 2.228, 0.0005);
	CHECK_NEAR(student_quantile(0.95, 30), 1.697, 0.0005);
	CHECK_NEAR(student_quantile(0.975, 120), 1.980, 0.0005);
	CHECK_NEAR(student_quantile(0.975, 1e6), INTERVAL_Z95, 0.00001);
	CHECK_NEAR(student_quantile(0.975, 1e300), INTERVAL_Z95, 0.00001);
	CHECK_NEAR(student_quantile(0.5, 7), 0, 0.000000001);
}

/*
 * "sleep", the data of Student's own paper, which R has: t.test(extra ~ group)
 * says that group 1 less group 2 is from -3.3654832 to 0.2054832.
 */
static void test_welch(void)
{
	const struct moments a = { 10, 0.75, 3.2005555556 }, b = { 10, 2.33, 4.0090000000 };
	struct interval in = welch_interval(&a, &b);

	CHECK(in.known);
	CHECK_NEAR(in.low, -0.2054832, 0.000001);
	CHECK_NEAR(in.high, 3.3654832, 0.000001);
}

static void test_welch_limits(void)
{
	const struct moments one = { 1, 5, 0 }, some = { 10, 7, 0 }, more = { 20, 4, 0 };
	struct interval in = welch_interval(&some, &more);

	CHECK(!welch_interval(&one, &some).known);
	CHECK(!welch_interval(&some, &one).known);
	CHECK(in.known && in.low == -3 && in.high == -3);
}

/* 100 values: the median is between the 40th and the 61st, as textbooks have it. */
static void test_ranks(void)
{
	struct interval in = quantile_ranks(100, 0.5);

	CHECK(in.known && in.low == 40 && in.high == 61);
	/* 990 - 6.17, 990 + 6.17 and one */
	in = quantile_ranks(1000, 0.99);
	CHECK(in.known && in.low == 983 && in.high == 998);
	CHECK(!quantile_ranks(300, 0.99).known);
	CHECK(!quantile_ranks(5, 0.5).known);
	CHECK(!quantile_ranks(0, 0.5).known);
}

/* Margins of 3 and 3, the square root of 18; of 1 and 2, that of 5. */
static void test_difference(void)
{
	const struct interval a = { true, 8, 13 }, b = { true, 17, 21 }, none = { 0 };
	struct interval in = difference_interval(10, a, 20, b);

	CHECK(in.known);
	CHECK_NEAR(in.low, 10 - 4.242640687, 0.00000001);
	CHECK_NEAR(in.high, 10 + 2.236067977, 0.00000001);
	CHECK(!difference_interval(10, none, 20, b).known);
	CHECK(!difference_interval(10, a, 20, none).known);
}

static const struct unit_test tests[] = {
	{ "quantiles of Student's t", test_student },
	{ "Welch's interval", test_welch },
	{ "Welch's interval of too few or equal values", test_welch_limits },
	{ "ranks around a quantile", test_ranks },
	{ "the interval of a difference", test_difference },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
