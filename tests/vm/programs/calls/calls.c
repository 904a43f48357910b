// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls.c - system calls of which the number is known, and how many of them fail, and how
 *
 * usage: calls [N]
 *
 * N times (100): getppid, close(-1) (EBADF), chdir to what is not there (ENOENT), and every
 * second time chdir("/"). Two threads do it, one after the other.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *work(void *arg)
{
	long i, nr = *(long *)arg;

	for (i = 0; i < nr; i++) {
		syscall(SYS_getppid);
		if (!syscall(SYS_close, -1) || !syscall(SYS_chdir, "no such folder"))
			exit(1);
		if (i & 1 && syscall(SYS_chdir, "/"))
			exit(1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long nr = argc > 1 ? atol(argv[1]) : 100;
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, &nr) || pthread_join(thread, NULL))
		return 1;
	work(&nr);
	return 0;
}
