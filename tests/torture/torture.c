// SPDX-License-Identifier: GPL-2.0-only
/*
 * torture.c - torment kprof from all sides at once, for a while
 *
 * usage: torture SEED SECONDS [-v]
 *
 * kprof is loaded at the beginning, to see what files it has, and not at the end.
 * Exits 0 if nothing went wrong; that the kernel did not mind is for others to
 * see, in its log.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "torture.h"

#define MAX_TOLD	10	/* things that went wrong, of each tormentor */

static const struct tormentor {
	const char *name;
	void (*turn)(void);
} tormentors[] = {
	{ "module", torture_module },
	{ "settings", torture_settings },
	{ "garbage", torture_garbage },
	{ "reads", torture_reads },
	{ "more reads", torture_reads },
	{ "cpus", torture_cpus },
	{ "known", torture_known },
	{ "spans", torture_spans },
	{ "inlined", torture_inlined },
	{ "storm", torture_storm },
	{ "suspend", torture_suspend },
	{ "ftrace", torture_ftrace },
	{ "thread", torture_thread },
	{ "patch", torture_patch },
	{ "stopped", torture_stopped },
	{ "oopses", torture_oops },
	{ "sleepers", torture_sleepers },
	{ "mappings", torture_mappings },
	{ "programs", torture_programs },
	{ "mute", torture_mute },
	{ "locked", torture_locked },
	{ "namespaces", torture_namespaces },
};

/* Of each tormentor, where all can see it. */
static struct state {
	char doing[200];
	uint64_t turns;
	uint64_t wrong;
} *states, *own;

/* How many tormentors want the others to rest between their turns; all can see it. */
static int *quiet;

static const char *name;
static bool verbose;

void doing(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(own->doing, sizeof(own->doing), format, args);
	va_end(args);
	if (verbose)
		printf("%s: %s\n", name, own->doing);
}

void wrong(const char *format, ...)
{
	char line[400];
	va_list args;

	/* What follows from the first is more of the same. */
	if (own->wrong++ >= MAX_TOLD)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	printf("%s: wrong at turn %llu: %s\n", name, (unsigned long long)own->turns, line);
}

void quiet_begin(void)
{
	__atomic_add_fetch(quiet, 1, __ATOMIC_RELAXED);
}

void quiet_end(void)
{
	__atomic_sub_fetch(quiet, 1, __ATOMIC_RELAXED);
}

static void rest(void)
{
	while (__atomic_load_n(quiet, __ATOMIC_RELAXED))
		usleep(10000);
}

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

static void torment(size_t i, uint64_t seed, time_t end)
{
	own = &states[i];
	name = tormentors[i].name;
	setvbuf(stdout, NULL, _IOLBF, 0);
	random_seed(seed ^ ((i + 1) * 0xd1342543de82ef95));
	/* After an oops the kernel checks its locks no more: those come in the last quarter. */
	if (tormentors[i].turn == torture_oops)
		sleep((end - now()) * 3 / 4);
	for (; now() < end; own->turns++) {
		rest();
		tormentors[i].turn();
	}
	exact_tell();
	fflush(stdout);
	_exit(0);
}

static void start(size_t i, uint64_t seed, time_t end)
{
	pid_t pid = fork();

	if (pid < 0) {
		perror("torture: fork");
		exit(1);
	}
	if (!pid)
		torment(i, seed, end);
}

/* Give them time to finish their turns, and say who does not. */
static int wait_for_all(time_t end)
{
	size_t left = COUNT(tormentors), i;
	int failed = 0, status;
	pid_t pid;

	while (left && now() < end + 120) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid <= 0) {
			sleep(1);
			continue;
		}
		left--;
		if (status) {
			printf("a tormentor ended with status %#x\n", status);
			failed = 1;
		}
	}
	for (i = 0; i < COUNT(tormentors); i++) {
		printf("%s: %llu turns, %llu wrong%s%s\n", tormentors[i].name,
		       (unsigned long long)states[i].turns,
		       (unsigned long long)states[i].wrong,
		       left ? "; at last: " : "", left ? states[i].doing : "");
		failed |= states[i].wrong || !states[i].turns;
	}
	if (left)
		printf("%zu tormentors did not come to their end\n", left);
	return failed || left;
}

/* Nobody else is there any more: what holds it now, holds it for ever. */
static int unload_at_last(void)
{
	if (!module_is_loaded("kprof"))
		return 0;
	printf("kprof is still loaded\n");
	module_unload("kprof");
	return own->wrong != 0;
}

int main(int argc, char **argv)
{
	struct state after = { .turns = 0 };
	uint64_t seed;
	int failed;
	time_t end;
	size_t i;

	if (argc < 3) {
		fprintf(stderr, "usage: torture SEED SECONDS [-v]\n");
		return 2;
	}
	seed = strtoull(argv[1], NULL, 0);
	end = now() + strtol(argv[2], NULL, 0);
	verbose = argc > 3 && !strcmp(argv[3], "-v");
	files_find();
	states = mmap(NULL, sizeof(*states) * COUNT(tormentors) + sizeof(*quiet),
		      PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (states == MAP_FAILED) {
		perror("torture: mmap");
		return 1;
	}
	quiet = (int *)&states[COUNT(tormentors)];
	own = states;
	module_unload("kprof");
	for (i = 0; i < COUNT(tormentors); i++)
		start(i, seed, end);
	failed = wait_for_all(end);
	own = &after;
	name = "afterwards";
	return failed | unload_at_last();
}
