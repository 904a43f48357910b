// SPDX-License-Identifier: GPL-2.0-only
/*
 * decimal.c - write numbers as fprintf() does, for a file that has very many of them
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/decimal.h"

#define DIGITS_MAX	24	/* of a number of 64 bits, with a point and a sign */

/* Numbers from here on are left to fprintf(). */
#define SCALED_MAX	1000000000000.0
#define SHORTEST_MAX	10000000000000.0	/* with a tenth, 15 digits are not exceeded */
#define COUNT_MAX	100000000000000000.0L	/* which is the first of 18 digits */

/* @number, with a point before the last @places digits. */
static void write_digits(FILE *out, bool negative, uint64_t number, int places)
{
	char text[DIGITS_MAX];
	size_t at = sizeof(text);
	int i;

	for (i = 0; number || i <= places; i++) {
		if (i && i == places)
			text[--at] = '.';
		text[--at] = (char)('0' + number % 10);
		number /= 10;
	}
	if (negative)
		text[--at] = '-';
	fwrite(text + at, 1, sizeof(text) - at, out);
}

void decimal_fixed(FILE *out, double value, int places)
{
	static const double scale[DECIMAL_PLACES_MAX + 1] = { 1, 10, 100 };
	const double scaled = fabs(value) * scale[places], whole = floor(scaled);
	const double rest = scaled - whole;

	/*
	 * Below this limit the product is right to 0.0001. Where it is as near as that to a half,
	 * what is behind it decides, and it may be exactly a half. What is no number is not less.
	 */
	if (!(scaled < SCALED_MAX) || fabs(rest - 0.5) < 0.001)
		fprintf(out, "%.*f", places, value);
	else
		write_digits(out, signbit(value), (uint64_t)whole + (rest > 0.5), places);
}

void decimal_shortest(FILE *out, double value)
{
	const double size = fabs(value), whole = floor(size);

	if (!(size < SHORTEST_MAX) || (size != whole && size != whole + 0.5))
		fprintf(out, "%.15g", value);
	else if (size == whole)
		write_digits(out, signbit(value), (uint64_t)whole, 0);
	else
		write_digits(out, signbit(value), (uint64_t)whole * 10 + 5, 1);
}

void decimal_count(FILE *out, long double value)
{
	const long double size = fabsl(value);

	if (!(size < COUNT_MAX) || size != floorl(size))
		fprintf(out, "%.17Lg", value);
	else
		write_digits(out, signbit(value), (uint64_t)size, 0);
}
