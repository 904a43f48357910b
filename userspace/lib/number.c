// SPDX-License-Identifier: GPL-2.0-only
/*
 * number.c - parse numbers in text, with range checks
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/number.h"

static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10u : UINT32_MAX;
}

bool number_take(const char **text, enum number_base base, uint64_t *value)
{
	const char *p = *text;
	uint64_t sum = 0;
	unsigned int digit;

	for (; (digit = digit_of(*p)) < base; p++)
		if (__builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)digit, &sum))
			return false;
	if (p == *text)
		return false;
	*text = p;
	*value = sum;
	return true;
}

bool number_parse(const char *text, enum number_base base, uint64_t *value)
{
	return number_take(&text, base, value) && !*text;
}

int64_t number_up_to(const char *text, int64_t max)
{
	uint64_t value;

	return number_parse(text, NUMBER_DECIMAL, &value) && value <= (uint64_t)max ?
	       (int64_t)value : -1;
}

/* Parse digits after an optional minus sign. The number must fit a signed 64-bit integer. */
static bool parse_signed(const char *text, int64_t *value)
{
	bool minus = *text == '-';
	uint64_t size;

	if (!number_parse(text + minus, NUMBER_DECIMAL, &size) ||
	    size > INT64_MAX + (uint64_t)minus)
		return false;
	*value = (int64_t)(minus ? -size : size);
	return true;
}

bool number_within(const char *text, int64_t min, int64_t max, int64_t *value)
{
	return parse_signed(text, value) && *value >= min && *value <= max;
}

bool number_key(const char *text, int64_t *value)
{
	bool hex = !strncmp(text, "0x", 2);

	if (*text == '-')
		return parse_signed(text, value);
	return number_parse(hex ? text + 2 : text, hex ? NUMBER_HEX : NUMBER_DECIMAL,
			    (uint64_t *)value);
}

/* strtod() alone would also accept white space, "inf", "nan" and hexadecimal digits. */
bool number_take_real(const char **text, double *value)
{
	const char *digits = *text + (**text == '-');
	char *end;

	if (!strspn(digits, "0123456789.") || digits[1] == 'x' || digits[1] == 'X')
		return false;
	*value = strtod(*text, &end);
	if (end == *text || !isfinite(*value))
		return false;
	*text = end;
	return true;
}

bool number_real(const char *text, double *value)
{
	return number_take_real(&text, value) && !*text;
}

uint64_t number_or_0(const char *text)
{
	uint64_t value;

	return number_take(&text, NUMBER_DECIMAL, &value) ? value : 0;
}
