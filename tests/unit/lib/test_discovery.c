// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_discovery.c - tests of runs, and false discoveries: against values computed elsewhere
 */
#include <math.h>

#include "lib/discovery.h"
#include "unit.h"

#define TINY	0.000000000001

#define CHECK_NEAR(got, expected, error) \
	CHECK(fabs((got) - (expected)) <= (error))

/* "sleep" in R: t.test(extra ~ group) says t = -1.8608, df = 17.776, p-value = 0.07939. */
static void test_welch(void)
{
	const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	struct moments of_a = moments_of_values(a, 10), of_b = moments_of_values(b, 10);

	CHECK_NEAR(of_a.mean, 0.75, TINY);
	CHECK_NEAR(of_a.variance, 3.2005555556, 0.000000001);
	CHECK_NEAR(runs_chance(&of_a, &of_b, false), 0.07939, 0.000005);
	CHECK_NEAR(runs_chance(&of_b, &of_a, true), 0.07939, 0.000005);
}

/*
 * As many values of the same spread on both sides: 2 (n - 1) degrees of freedom. The tables of
 * textbooks have t for the chance 0.05: 2.776 of 4, 2.306 of 8, 2.101 of 18; and 0.001: 8.610 of 4.
 */
static void test_tables(void)
{
	static const struct { double nr, t, chance; } rows[] = {
		{ 3, 2.776, 0.05 }, { 5, 2.306, 0.05 }, { 10, 2.101, 0.05 }, { 3, 8.610, 0.001 },
		{ 3, 4.604, 0.01 }, { 5, 3.355, 0.01 }, { 10, 2.878, 0.01 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct moments a = { rows[i].nr, 100, 4 }, b = a;

		b.mean += rows[i].t * sqrt(2 * 4 / rows[i].nr);
		CHECK_NEAR(runs_chance(&a, &b, false), rows[i].chance, rows[i].chance / 200);
	}
}

/* Equal values have the variance 0, whatever they are; values that are missing do not count. */
static void test_moments(void)
{
	const double equal[] = { 0.1, 0.1, 0.1 }, some[] = { NAN, 3, NAN, 5 }, none[] = { NAN };
	struct moments m = moments_of_values(equal, 3);

	CHECK(m.nr == 3 && m.mean == 0.1 && m.variance == 0);
	m = moments_of_values(some, 4);
	CHECK(m.nr == 2 && m.mean == 4 && m.variance == 2);
	m = moments_of_values(none, 1);
	CHECK(m.nr == 0 && m.variance == 0);
}

/* Without spread: the order of the runs. 2 of the 20 orders of 3 and 3, of the 70 of 4 and 4. */
static void test_without_spread(void)
{
	const struct moments a3 = { 3, 7, 0 }, b3 = { 3, 8, 0 }, a4 = { 4, 7, 0 }, b4 = { 4, 8, 0 };
	const struct moments a5 = { 5, 7, 0 }, many = { 3, 1000, 0 }, zero = { 3, 0, 0 };

	CHECK_NEAR(runs_chance(&a3, &b3, false), 0.1, TINY);
	CHECK_NEAR(runs_chance(&a4, &b4, false), 2.0 / 70, TINY);
	CHECK_NEAR(runs_chance(&b3, &a5, false), 1.0 / 56, TINY);
	CHECK(runs_chance(&a3, &a3, false) == 1);
	/* 1,000 events of each run, none before: no accident, if they are events. */
	CHECK(runs_chance(&zero, &many, true) < 0.000000001);
	CHECK_NEAR(runs_chance(&zero, &many, false), 0.1, TINY);
	/* Of 21 and 24 nothing follows. */
	CHECK_NEAR(runs_chance(&a3, &b3, true), 0.1, TINY);
}

/* The example of Benjamini and Hochberg's paper: at the level 0.05, four of fifteen. */
static void test_adjust(void)
{
	double p[] = { 0.3240, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459,
		       0.0001, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
	size_t i, found = 0;

	discovery_adjust(p, 15);
	for (i = 0; i < 15; i++)
		found += p[i] <= 0.05;
	CHECK_INT(found, 4);
	CHECK_NEAR(p[9], 0.0015, TINY);
	CHECK_NEAR(p[3], 0.0095 * 15 / 4, TINY);
	/* 0.0278 x 15 / 6 is more than 0.0298 x 15 / 7. */
	CHECK_NEAR(p[5], 0.0298 * 15 / 7, TINY);
	CHECK_NEAR(p[14], 1, TINY);
	discovery_adjust(p, 0);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "Welch's test, against R", test_welch },
		{ "Student's distribution, against tables", test_tables },
		{ "moments", test_moments },
		{ "runs without spread", test_without_spread },
		{ "Benjamini and Hochberg's example", test_adjust },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
