// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - a program that works in a library without symbols, which calls it back
 */
#include <stdlib.h>

void shared_work(unsigned long n, void (*back)(unsigned long));

static unsigned long turns;

static __attribute__((noipa)) void shared_spin(unsigned long n)
{
	while (n--) {
		turns++;
		__asm__ volatile("" : "+m"(turns));
	}
}

/* Called by its address: only a frame of its own tells who called it. */
static __attribute__((noipa)) void shared_back(unsigned long n)
{
	shared_spin(n);
	turns++;
}

int main(int argc, char **argv)
{
	shared_work(argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, shared_back);
	turns++;
	return 0;
}
