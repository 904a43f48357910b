// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlines.c - works in a function that is inlined into another one, three deep
 *
 * usage: inlines TURNS		two thirds of the time in deepest(), a third in what middle() calls
 *	  inlines lines		print the lines: of the work, and of the calls, innermost first
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long turns;
static int line[4];

static __attribute__((noipa)) void leaf(unsigned long n)
{
	while (n--) {
		turns++;
		__asm__ volatile("" : "+m"(turns));
	}
}

static __always_inline void deepest(unsigned long n)
{
	while (n--) {
		turns++, line[0] = __LINE__;
		__asm__ volatile("" : "+m"(turns));
	}
}

static __always_inline void middle(unsigned long n)
{
	deepest(2 * n); line[1] = __LINE__;
	leaf(n);
}

static __always_inline void outer(unsigned long n)
{
	middle(n); line[2] = __LINE__;
}

static __attribute__((noipa)) void host(unsigned long n)
{
	outer(n); line[3] = __LINE__;
	turns++;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 && strcmp(argv[1], "lines") ? strtoul(argv[1], NULL, 10) : 1;

	while (n--)
		host(10000);
	if (argc > 1 && !strcmp(argv[1], "lines"))
		printf("%d %d %d %d\n", line[0], line[1], line[2], line[3]);
	return 0;
}
