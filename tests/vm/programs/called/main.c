// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - calls functions of a library, and one of its own, a known number of times
 *
 *	called where FUNCTION	its file, and its offset there, as a target of kprof
 *	called work N		two threads and a child call called_work() N times each
 *	called own N		calls called_own() N times
 *	called deep N DEPTH	calls called_deep(DEPTH) N times
 *	called leave N		leaves called_leave() N times by longjmp()
 *	called back N DEPTH	called_back() N times, which leaves DEPTH calls of itself
 *	called exit N		N children end inside of called_exit()
 *	called jump N		called_jumps() and called_other() N times
 *	called sleep N US	called_sleep(US) N times
 *	called marked N		called_marked() for 0 to N - 1
 *	called exec N ...	after N times called_work(), becomes "called ..."
 *	called forever		called_work() in threads and new children, until it is killed
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "called.h"

__attribute__((noipa)) long called_own(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

static const struct {
	const char *name;
	unsigned long at;
} functions[] = {
	{ "called_work", (unsigned long)called_work },
	{ "called_deep", (unsigned long)called_deep },
	{ "called_leave", (unsigned long)called_leave },
	{ "called_back", (unsigned long)called_back },
	{ "called_exit", (unsigned long)called_exit },
	{ "called_other", (unsigned long)called_other },
	{ "called_jumps", (unsigned long)called_jumps },
	{ "called_sleep", (unsigned long)called_sleep },
	{ "called_never", (unsigned long)called_never },
	{ "called_own", (unsigned long)called_own },
};

static int where(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end, offset, at = 0;
	char line[4096], path[4096];
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i].name, name))
			at = functions[i].at;
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4095s", &start, &end, &offset,
			   path) == 4 && at >= start && at < end) {
			printf("%s:0x%lx\n", path, at - start + offset);
			return 0;
		}
	}
	return 1;
}

/* A quarter of the calls has each of 0, 1, 2, 3. */
static void *work(void *times)
{
	static const char *const words[] = { "even", "odd" };
	long (*called)(long n, const char *word) = called_work;
	long n;

	/* A probe reads only what is in memory. */
	for (n = 0; n < 2; n++)
		__atomic_load_n(words[n], __ATOMIC_RELAXED);
	/* By its address: the code before the return address does not tell what is called. */
	__asm__ volatile("" : "+r"(called));
	for (n = 0; n < (long)times; n++)
		if (called(n % 4, words[n % 2]) != (n % 4 ? 2 * (n % 4) : -1))
			abort();
	return NULL;
}

static void in_child(void (*what)(void), long times)
{
	pid_t pid = fork();

	if (!pid) {
		if (what)
			what();
		work((void *)times);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void work_everywhere(long times)
{
	pthread_t thread[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, (void *)times);
	in_child(NULL, times);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

static void leave(long times)
{
	static jmp_buf here;
	static long n;

	setjmp(here);
	__asm__ volatile("" : "+m"(n));
	if (n++ < times)
		called_leave(here);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	long times = argc > 2 ? atol(argv[2]) : 0, n;

	if (argc == 2 && !strcmp(argv[1], "forever"))
		for (;;)
			work_everywhere(1000);
	if (!strcmp(what, "where"))
		return where(argv[2]);
	if (!strcmp(what, "leave"))
		leave(times);
	else if (!strcmp(what, "work"))
		work_everywhere(times);
	for (n = 0; n < times; n++) {
		if (!strcmp(what, "own") && called_own(n) != n)
			abort();
		if (!strcmp(what, "deep") && called_deep(atol(argv[3])) != atol(argv[3]))
			abort();
		if (!strcmp(what, "back"))
			called_back(atol(argv[3]), NULL);
		if (!strcmp(what, "exit"))
			in_child(called_exit, 0);
		if (!strcmp(what, "jump") && called_jumps(n) != n + 1)
			abort();
		if (!strcmp(what, "sleep"))
			called_sleep(atol(argv[3]));
		if (!strcmp(what, "marked"))
			called_marked(n, n % 2 ? "odd" : "even");
		if (!strcmp(what, "exec"))
			called_work(n, "");
	}
	if (!strcmp(what, "exec"))
		execv(argv[0], argv + 2);
	return 0;
}
