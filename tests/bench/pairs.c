// SPDX-License-Identifier: GPL-2.0-only
/*
 * pairs.c - a load of a known number of spans: pairs switches|calls N
 *
 * switches: two processes send each other a byte, N times in each direction: 2 N times one of
 * them blocks, and the other is woken. calls: N system calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int relay(int from, int to, long n)
{
	char byte = 'x';

	for (; n; n--)
		if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
			return 1;
	return 0;
}

static int switches(long n)
{
	int there[2], back[2];
	pid_t pid;
	char byte;

	if (pipe(there) || pipe(back))
		return 1;
	pid = fork();
	if (pid < 0)
		return 1;
	if (!pid)
		_exit(relay(there[0], back[1], n));
	/* The last answer is read, and not answered. */
	return write(there[1], "x", 1) != 1 || relay(back[0], there[1], n - 1) ||
	       read(back[0], &byte, 1) != 1;
}

static int calls(long n)
{
	for (; n; n--)
		syscall(SYS_getppid);
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc == 3 ? strtol(argv[2], NULL, 10) : 0;

	if (n > 0 && !strcmp(argv[1], "switches"))
		return switches(n);
	if (n > 0 && !strcmp(argv[1], "calls"))
		return calls(n);
	fputs("Usage: pairs switches|calls N\n", stderr);
	return 2;
}
