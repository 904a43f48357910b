// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - a program that marks its regions
 *
 *	regions [N US]	in two threads and a child, N times: "outer", and in it "inner", which
 *			sleeps for so long, and "inner" again, which does not
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define KPROF_IMPLEMENTATION
#include "../../../../include/kprof.h"

static long times, us;

static void *work(void *unused)
{
	struct kprof_region outer, inner;
	long i;

	for (i = 0; i < times; i++) {
		kprof_begin(&outer, "outer");
		kprof_begin(&inner, "inner");
		usleep(us);
		kprof_end(&inner);
		kprof_begin(&inner, "inner");
		kprof_end(&inner);
		kprof_end(&outer);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread[2];
	pid_t pid;
	int i;

	times = argc > 2 ? atol(argv[1]) : 10;
	us = argc > 2 ? atol(argv[2]) : 1000;
	pid = fork();
	if (!pid) {
		work(NULL);
		_exit(0);
	}
	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	waitpid(pid, NULL, 0);
	return 0;
}
