// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - the clocks of the system as numbers
 */
#include "lib/clock.h"

uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}
