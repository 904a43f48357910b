// SPDX-License-Identifier: GPL-2.0-only
/*
 * library.c - a library without frame pointers
 */
#include "bare.h"

void bare_library(unsigned long n, void (*back)(unsigned long))
{
	while (n--)
		back(10000);
	__asm__ volatile("");
}

/* Does nothing: what calls it is mostly on the way to it. */
unsigned long bare_nothing(unsigned long n)
{
	return n + 1;
}
