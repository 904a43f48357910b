// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - a program that marks its regions
 *
 *	regions [N US]	in two threads and a child, N times: "outer", and in it "inner", which
 *			sleeps for so long, and "inner" again, which does not; without arguments
 *			burn_alone() makes 200 million turns before, between start and stop
 *	regions spin N	"outer", in which burn_outer() makes N million turns, then in it "inner", in
 *			which burn_inner() does, then burn_outer() again; then burn_alone() in none
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
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

/* They differ, or the compiler would make one of them. */
__attribute__((noinline)) static void burn_outer(long turns)
{
	for (; turns; turns--)
		__asm__ __volatile__("/* outer */" : "+r"(turns));
}

__attribute__((noinline)) static void burn_inner(long turns)
{
	for (; turns; turns--)
		__asm__ __volatile__("/* inner */" : "+r"(turns));
}

__attribute__((noinline)) static void burn_alone(long turns)
{
	for (; turns; turns--)
		__asm__ __volatile__("/* alone */" : "+r"(turns));
}

static void spin(long turns)
{
	struct kprof_region outer, inner;

	kprof_begin(&outer, "outer");
	burn_outer(turns);
	kprof_begin(&inner, "inner");
	burn_inner(turns);
	kprof_end(&inner);
	burn_outer(turns);
	kprof_end(&outer);
	burn_alone(turns);
}

int main(int argc, char **argv)
{
	pthread_t thread[2];
	pid_t pid;
	int i;

	if (argc > 2 && !strcmp(argv[1], "spin")) {
		spin(1000000 * atol(argv[2]));
		return 0;
	}
	if (argc == 1) {
		kprof_start();
		burn_alone(200000000);
		kprof_stop();
	}
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
