// SPDX-License-Identifier: GPL-2.0-only
/*
 * mini.c - a program whose symbols are compressed in it (.gnu_debugdata)
 *
 * usage: mini ROUNDS
 */
#include <stdlib.h>

static unsigned long turns;

static __attribute__((noipa)) void mini_spin(unsigned long n)
{
	while (n--) {
		turns++;
		__asm__ volatile("" : "+m"(turns));
	}
}

static __attribute__((noipa)) void mini_work(unsigned long rounds)
{
	while (rounds--)
		mini_spin(60000);
	turns++;
}

int main(int argc, char **argv)
{
	mini_work(argc > 1 ? strtoul(argv[1], NULL, 10) : 1000);
	return 0;
}
