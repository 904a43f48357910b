// SPDX-License-Identifier: GPL-2.0-only
/*
 * decimal.c - write numbers as fprintf() does, for a file that has very many of them
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/decimal.h"

#define DIGITS_MAX	24	/* of a number of 64 bits, with a point and a sign */

/* @number, with a point before the last @places digits. */
static void write_digits(FILE *out, bool negative, uint64_t number, int places)
{
	char text[DIGITS_MAX], *at = text + sizeof(text);
	int i;

	for (i = 0; number || i <= places; i++) {
		if (i && i == places)
			*--at = '.';
		*--at = (char)('0' + number % 10);
		number /= 10;
	}
	if (negative)
		*--at = '-';
	fwrite(at, 1, (size_t)(text + sizeof(text) - at), out);
}

void decimal_fixed(FILE *out, double value, int places)
{
	static const double scale[DECIMAL_PLACES_MAX + 1] = { 1, 10, 100 };
	const double scaled = fabs(value) * scale[places], whole = floor(scaled);
	const double rest = scaled - whole;

	/*
	 * Up to a million million the product is right to 0.0001. Where it is as near as that to
	 * a half, what is behind it decides, and it may be exactly a half. Not a number is not less.
	 */
	if (!(scaled < 1e12) || fabs(rest - 0.5) < 1e-3)
		fprintf(out, "%.*f", places, value);
	else
		write_digits(out, signbit(value), (uint64_t)whole + (rest > 0.5), places);
}

void decimal_shortest(FILE *out, double value)
{
	const double size = fabs(value), whole = floor(size);

	if (!(size < 1e13) || (size != whole && size != whole + 0.5))
		fprintf(out, "%.15g", value);
	else if (size == whole)
		write_digits(out, signbit(value), (uint64_t)whole, 0);
	else
		write_digits(out, signbit(value), (uint64_t)whole * 10 + 5, 1);
}

void decimal_count(FILE *out, long double value)
{
	const long double size = fabsl(value);

	if (!(size < 1e17L) || size != floorl(size))
		fprintf(out, "%.17Lg", value);
	else
		write_digits(out, signbit(value), (uint64_t)size, 0);
}
