// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - a program that says by kprof.h which part of it is to be profiled
 *
 *	marked N	each burn_NAME() makes N million turns, and called() is called so often:
 *			before the start 3, in the part 5, in its thread 7, in a child of it 11,
 *			behind the stop 17, behind two starts and one stop 19, in a child that
 *			starts 13, and in the program that it becomes then 23
 *	marked never N	burn_before() and called(), and no start
 *	marked rest N	burn_exec() and called(): what "marked N" becomes
 *	marked pages N	touches N times so many pages: before the start 1000, in the part 500, in a
 *			child of it 300, and behind the stop 2000
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KPROF_IMPLEMENTATION
#include "../../../../include/kprof.h"

static long turns;

__attribute__((noipa)) void called(long i)
{
	__asm__ __volatile__("" : : "r"(i));
}

/* They differ, or the compiler would make one of them. */
#define BURN(name) \
	__attribute__((noipa)) static void burn_##name(long calls) \
	{ \
		long i; \
		for (i = turns; i; i--) \
			__asm__ __volatile__("/* " #name " */" : "+r"(i)); \
		for (i = 0; i < calls; i++) \
			called(i); \
	}

BURN(before)
BURN(part)
BURN(thread)
BURN(child)
BURN(own)
BURN(behind)
BURN(twice)
BURN(exec)

static void *thread(void *unused)
{
	burn_thread(7);
	return unused;
}

static void in_child(void (*burn)(long calls), long calls, int is_started)
{
	pid_t pid = fork();

	if (!pid) {
		if (is_started)
			kprof_start();
		burn(calls);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void part(void)
{
	pthread_t other;

	kprof_start();
	pthread_create(&other, NULL, thread, NULL);
	burn_part(5);
	pthread_join(other, NULL);
	in_child(burn_child, 11, 0);
	kprof_stop();
}

/* Each of them is a fault. */
static void touch(long pages)
{
	long size = sysconf(_SC_PAGESIZE), i;
	char *memory = mmap(NULL, pages * size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || madvise(memory, pages * size, MADV_NOHUGEPAGE))
		abort();
	for (i = 0; i < pages; i++) {
		memory[i * size] = 1;
		__asm__ __volatile__("" : : "r"(memory) : "memory");
	}
}

static void touch_in_part(long times)
{
	pid_t pid;

	touch(1000 * times);
	kprof_start();
	touch(500 * times);
	pid = fork();
	if (!pid) {
		touch(300 * times);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	kprof_stop();
	touch(2000 * times);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "all";

	turns = 1000000 * atol(argv[argc - 1]);
	if (!strcmp(what, "rest")) {
		burn_exec(23);
		return 0;
	}
	if (!strcmp(what, "pages")) {
		touch_in_part(atol(argv[argc - 1]));
		return 0;
	}
	burn_before(3);
	if (!strcmp(what, "never"))
		return 0;
	part();
	burn_behind(17);
	kprof_start();
	kprof_start();
	kprof_stop();
	burn_twice(19);
	in_child(burn_own, 13, 1);
	execl(argv[0], argv[0], "rest", argv[argc - 1], NULL);
	return 1;
}
