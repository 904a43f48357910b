// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_decimal.c - check userspace/lib/decimal.c: the same text as fprintf() makes of any number
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "lib/decimal.h"
#include "unit.h"

static char *text[2];
static size_t len[2];

/* The text of @value by each: the one that is tested, and fprintf(). */
static bool agrees(int kind, long double value)
{
	bool same;
	FILE *f;
	int i;

	for (i = 0; i < 2; i++) {
		f = open_memstream(&text[i], &len[i]);
		if (i && kind == 4)
			fprintf(f, "%.17Lg", value);
		else if (i && kind == 3)
			fprintf(f, "%.15g", (double)value);
		else if (i)
			fprintf(f, "%.*f", kind, (double)value);
		else if (kind == 4)
			decimal_count(f, value);
		else if (kind == 3)
			decimal_shortest(f, (double)value);
		else
			decimal_fixed(f, (double)value, kind);
		fclose(f);
	}
	same = !strcmp(text[0], text[1]);
	if (!same)
		printf("# kind %d: '%s', expected '%s'\n", kind, text[0], text[1]);
	free(text[0]);
	free(text[1]);
	return same;
}

static void check(long double value)
{
	int kind;

	for (kind = 0; kind <= 4; kind++)
		CHECK(agrees(kind, value) && agrees(kind, -value));
}

static void test_edges(void)
{
	static const long double edges[] = {
		0, 0.004, 0.005, 0.0049999999, 0.0050000001, 0.5, 0.05, 0.95, 0.995, 1, 9.995,
		99.95, 9.5, 10.5, 0.125, 0.375, 1e9L + 0.5, 1e10L, 1e12L - 0.125, 1e12L,
		1e13L - 0.5, 1e13L, 1e15L, 1e16L, 99999999999999999.L, 1e17L, 1e18L,
		18446744073709551615.L, 1e300L, DBL_MIN, DBL_MAX, INFINITY,
	};
	size_t i;

	for (i = 0; i < sizeof(edges) / sizeof(*edges); i++)
		check(edges[i]);
	CHECK(agrees(2, NAN) && agrees(3, NAN) && agrees(4, NAN));
}

/* Multiples of a part of a pixel, where halves are frequent, and any other number. */
static void test_any(void)
{
	static const double parts[] = { 1, 2, 8, 10, 20, 100, 1000, 2000, 3 };
	unsigned int seed = 1;
	int i;

	for (i = 0; i < 40000; i++) {
		double number = rand_r(&seed) % 2000000;

		check(number / parts[i % 9]);
		check(exp((double)(rand_r(&seed) % 100) - 30) * (1 + number / 2000000));
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "at the edges", test_edges },
		{ "multiples of parts, and any size", test_any },
		{ 0 }
	};

	return unit_run(tests);
}
