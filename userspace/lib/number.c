// SPDX-License-Identifier: GPL-2.0-only
/*
 * number.c - numbers out of texts: whole, and refused where they do not fit
 */
#include <stdlib.h>

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

uint64_t number_or_0(const char *text)
{
	uint64_t value;

	return number_take(&text, NUMBER_DECIMAL, &value) ? value : 0;
}
