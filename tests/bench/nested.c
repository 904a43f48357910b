// SPDX-License-Identifier: GPL-2.0-only
/*
 * nested.c - a load whose samples have both stacks: nested ROUNDS
 *
 * Each round calls through 8 to 15 functions, with 256 bytes on the stack each, and then works:
 * about a quarter of it in the program, the rest in the kernel. It is compiled with frame pointers,
 * and without.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noipa))

static unsigned long turns;

static NOINLINE void spin(unsigned long n)
{
	while (n--)
		__asm__ volatile("incq %0" : "+m"(turns));
}

static NOINLINE void store(int fd)
{
	char page[4096] = { 0 };

	if (ftruncate(fd, 0) || pwrite(fd, page, sizeof(page), 0) < 0)
		abort();
	turns++;
}

/* What follows the call keeps it from being a jump. */
static NOINLINE void descend(int fd, int depth)
{
	char room[256];

	__asm__ volatile("" : : "r"(room) : "memory");
	if (depth) {
		descend(fd, depth - 1);
	} else {
		spin(1500);
		store(fd);
	}
	turns++;
}

int main(int argc, char **argv)
{
	long n = argc == 2 ? strtol(argv[1], NULL, 10) : 0, i;
	int fd = syscall(SYS_memfd_create, "nested", 0);

	if (n < 1 || fd < 0) {
		fputs("Usage: nested ROUNDS\n", stderr);
		return 2;
	}
	for (i = 0; i < n; i++)
		descend(fd, 7 + i % 8);
	return 0;
}
