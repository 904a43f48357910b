/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - what the programs of labs have in common: the token, the clock, how they fail
 */
#ifndef LABS_PROGRAM_H
#define LABS_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "token.h"

/* Say what failed, and why, by errno, and exit. Returns a number for where one is needed. */
static inline int die(const char *what)
{
	perror(what);
	exit(1);
}

/* CLOCK_MONOTONIC */
static inline u64 now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

#endif /* LABS_PROGRAM_H */
