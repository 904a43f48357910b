// SPDX-License-Identifier: GPL-2.0-only
/*
 * tables.c - programs that fill what a profiler keeps of them
 *
 * usage: tables many N TURNS     works in N files, one after the other, and then in itself
 *        tables clock N TURNS    works in the last of N pieces of code that no file has, and asks
 *                                what time it is
 *        tables storm N TURNS    N files mapped executable; then TURNS times one more, in which it
 *                                works, and which it unmaps
 *        tables moved TURNS      works in a file "old"; then, 4 times as long, at the same address
 *                                in code that was moved there; then, for as long as that, in a
 *                                file "away" that was moved to another address
 *        tables asleep N         N processes that sleep; from a line of its input on, with
 *                                nanosleep(). They end with it
 *
 * With "as UID" in front, it does that as another user.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noipa))
#define CODE	 (PROT_READ | PROT_EXEC)

/* It counts its argument down. */
#if defined(__x86_64__)
static const unsigned char loop_code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#elif defined(__aarch64__)
static const uint32_t loop_code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
#endif

static unsigned long turns;

static NOINLINE void tables_work(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < n; i++) {
		turns++;
		__asm__ volatile("" : "+m"(turns));
	}
}

static void *map(size_t size, int prot, int flags, int fd)
{
	void *mapped = mmap(NULL, size, prot, MAP_PRIVATE | flags, fd, 0);

	if (mapped == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return mapped;
}

static int make_file(const char *name)
{
	int fd = syscall(SYS_memfd_create, name, 0);

	if (fd < 0 || write(fd, loop_code, sizeof(loop_code)) != sizeof(loop_code) ||
	    ftruncate(fd, 4096)) {
		perror("memfd_create");
		exit(1);
	}
	return fd;
}

static void *map_file(const char *name)
{
	int fd = make_file(name);
	void *mapped = map(4096, CODE, 0, fd);

	close(fd);
	return mapped;
}

/*
 * Pages that are neighbours are one piece of memory: every other one is executable. Return: the
 * last one, which has the loop.
 */
static void *map_pieces(unsigned long n)
{
	char *made = map(n * 8192, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);
	char *last = made + (n - 1) * 8192;
	unsigned long i;

	memcpy(last, loop_code, sizeof(loop_code));
	__builtin___clear_cache(last, last + sizeof(loop_code));
	for (i = 0; i < n; i++)
		if (mprotect(made + i * 8192, 4096, CODE))
			exit(1);
	return last;
}

static NOINLINE void tables_clock(unsigned long n)
{
	struct timespec now;

	while (n--)
		clock_gettime(CLOCK_MONOTONIC, &now);
	turns++;
}

static void call(void *code, unsigned long n)
{
	((void (*)(unsigned long))code)(n);
	turns++;
}

/* Of one file, but never two neighbours that could be one mapping. */
static NOINLINE void tables_storm(unsigned long n, unsigned long times)
{
	int fd = make_file("storm");
	void *mapped;

	while (n--)
		map(4096, CODE, 0, fd);
	while (times--) {
		mapped = map(4096, CODE, 0, fd);
		call(mapped, 100000);
		munmap(mapped, 4096);
	}
}

static void move(void *from, void *to)
{
	if (mremap(from, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
		perror("mremap");
		exit(1);
	}
}

static NOINLINE void tables_moved(unsigned long n)
{
	void *old = map_file("old"), *away;
	void *other = map(4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);

	call(old, n);
	munmap(old, 4096);
	memcpy(other, loop_code, sizeof(loop_code));
	__builtin___clear_cache(other, (char *)other + sizeof(loop_code));
	if (mprotect(other, 4096, CODE))
		exit(1);
	move(other, old);
	call(old, 4 * n);
	away = map_file("away");
	/* Where nothing is. */
	other = map(4096, PROT_NONE, MAP_ANONYMOUS, -1);
	munmap(other, 4096);
	move(away, other);
	call(other, 4 * n);
}

/* Reads until the other end of the pipe is closed. */
static void sleep_after(int fd)
{
	struct timespec long_time = { .tv_sec = 1000000 };
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(fd, &byte, 1) > 0)
		;
	nanosleep(&long_time, NULL);
	_exit(0);
}

static int tables_asleep(unsigned long n)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return 1;
	while (n--) {
		pid = fork();
		if (pid < 0)
			return 1;
		if (!pid) {
			close(ends[1]);
			sleep_after(ends[0]);
		}
	}
	puts("ready");
	fflush(stdout);
	getchar();
	close(ends[1]);
	for (;;)
		pause();
}

static int run(int argc, char **argv)
{
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	unsigned long times = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;

	if (argc < 3)
		return 2;
	if (!strcmp(argv[1], "many")) {
		while (n--)
			call(map_file("many"), times);
		tables_work(times);
	} else if (!strcmp(argv[1], "clock")) {
		call(map_pieces(n), 100 * times);
		tables_clock(times);
	} else if (!strcmp(argv[1], "storm")) {
		tables_storm(n, times);
	} else if (!strcmp(argv[1], "moved")) {
		tables_moved(n);
	} else if (!strcmp(argv[1], "asleep")) {
		return tables_asleep(n);
	} else {
		return 2;
	}
	return 0;
}

int main(int argc, char **argv)
{
	uid_t user;

	if (argc < 3 || strcmp(argv[1], "as"))
		return run(argc, argv);
	user = strtoul(argv[2], NULL, 10);
	if (setgid(user) || setuid(user)) {
		perror("setuid");
		return 1;
	}
	return run(argc - 2, argv + 2);
}
