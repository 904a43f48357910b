// SPDX-License-Identifier: GPL-2.0-only
/*
 * operations.c - how long the kernel's basic operations take, as folded text
 *
 * usage: operations [NAME]...
 *
 * The operations are those that studies of kernels measure (LEBench's list), written anew. Each
 * is repeated as often as takes MIN_NS; of ROUNDS such measurements the median counts, less that
 * of an empty loop. A line is an operation and its nanoseconds, which kprof diff compares.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIN_NS	5000000
#define ROUNDS	5
#define PAGES	64	/* of a mapping */
#define FILES	10	/* that select, poll and epoll look at */

static char buffer[4096];
static int zero, null, file, epoll, to_child[2], from_child[2], waiting[FILES][2];
static size_t page;

static void check(long result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(1);
}

static void op_empty(void)
{
	__asm__ volatile("" ::: "memory");
}

static void op_getpid(void)
{
	syscall(SYS_getpid);
}

static void op_read(void)
{
	check(pread(file, buffer, sizeof(buffer), 0), "read");
}

static void op_write(void)
{
	check(pwrite(file, buffer, sizeof(buffer), 0), "write");
}

static void op_read_zero(void)
{
	check(read(zero, buffer, sizeof(buffer)), "read /dev/zero");
}

static void op_write_null(void)
{
	check(write(null, buffer, sizeof(buffer)), "write /dev/null");
}

/* There and back: two switches. */
static void op_switch(void)
{
	check(write(to_child[1], "", 1), "write to a pipe");
	check(read(from_child[0], buffer, 1), "read from a pipe");
}

static void op_fork(void)
{
	pid_t pid = fork();

	check(pid, "fork");
	if (!pid)
		_exit(0);
	check(waitpid(pid, NULL, 0), "wait");
}

static char *map(void)
{
	char *at = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);

	check(at == MAP_FAILED ? -1 : 0, "mmap");
	return at;
}

static void op_mmap(void)
{
	check(munmap(map(), PAGES * page), "munmap");
}

/* The same, and a fault for each page. */
static void op_page_faults(void)
{
	char *at = map();
	size_t i;

	for (i = 0; i < PAGES; i++)
		at[i * page] = 1;
	check(munmap(at, PAGES * page), "munmap");
}

/* The second end of the last pipe has something to read. */
static void op_select(void)
{
	fd_set set;
	int i, last = 0;

	FD_ZERO(&set);
	for (i = 0; i < FILES; i++) {
		FD_SET(waiting[i][0], &set);
		last = waiting[i][0] > last ? waiting[i][0] : last;
	}
	check(select(last + 1, &set, NULL, NULL, NULL), "select");
}

static void op_poll(void)
{
	struct pollfd fds[FILES];
	int i;

	for (i = 0; i < FILES; i++)
		fds[i] = (struct pollfd){ .fd = waiting[i][0], .events = POLLIN };
	check(poll(fds, FILES, -1), "poll");
}

static void op_epoll(void)
{
	struct epoll_event events[FILES];

	check(epoll_wait(epoll, events, FILES, -1), "epoll");
}

static const struct operation {
	const char *name;
	void (*run)(void);
} operations[] = {
	{ "getpid", op_getpid }, { "read", op_read }, { "write", op_write },
	{ "read_zero", op_read_zero }, { "write_null", op_write_null },
	{ "switch", op_switch }, { "fork", op_fork }, { "mmap", op_mmap },
	{ "page_faults", op_page_faults }, { "select", op_select }, { "poll", op_poll },
	{ "epoll", op_epoll },
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static uint64_t time_of(void (*run)(void), uint64_t times)
{
	uint64_t from = now(), i;

	for (i = 0; i < times; i++)
		run();
	return now() - from;
}

static int smallest_first(const void *va, const void *vb)
{
	double a = *(const double *)va, b = *(const double *)vb;

	return (a > b) - (a < b);
}

/* Nanoseconds of one call: the median. */
static double measure(void (*run)(void))
{
	double each[ROUNDS];
	uint64_t times = 1;
	int i;

	while (time_of(run, times) < MIN_NS)
		times *= 2;
	for (i = 0; i < ROUNDS; i++)
		each[i] = (double)time_of(run, times) / times;
	qsort(each, ROUNDS, sizeof(*each), smallest_first);
	return each[ROUNDS / 2];
}

/* A child that sends back each byte, until we are gone. */
static void start_echo(void)
{
	pid_t pid;
	char c;

	check(pipe(to_child), "pipe");
	check(pipe(from_child), "pipe");
	pid = fork();
	check(pid, "fork");
	if (pid)
		return;
	close(to_child[1]);
	while (read(to_child[0], &c, 1) == 1)
		if (write(from_child[1], &c, 1) != 1)
			break;
	_exit(0);
}

static void prepare(void)
{
	char name[] = "/tmp/operations-XXXXXX";
	struct epoll_event event = { .events = EPOLLIN };
	int i;

	page = sysconf(_SC_PAGESIZE);
	start_echo();
	zero = open("/dev/zero", O_RDONLY);
	check(zero, "/dev/zero");
	null = open("/dev/null", O_WRONLY);
	check(null, "/dev/null");
	file = mkstemp(name);
	check(file, name);
	unlink(name);
	op_write();
	epoll = epoll_create1(0);
	check(epoll, "epoll");
	for (i = 0; i < FILES; i++) {
		check(pipe(waiting[i]), "pipe");
		check(epoll_ctl(epoll, EPOLL_CTL_ADD, waiting[i][0], &event), "epoll");
	}
	check(write(waiting[FILES - 1][1], "", 1), "write to a pipe");
}

static int is_wanted(const char *name, char **names)
{
	int i;

	for (i = 0; names[i]; i++)
		if (!strcmp(name, names[i]))
			return 1;
	return i == 0;
}

int main(int argc, char **argv)
{
	size_t i, done = 0;
	double empty;

	prepare();
	empty = measure(op_empty);
	for (i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		if (!is_wanted(operations[i].name, argv + 1))
			continue;
		printf("%s %.2f\n", operations[i].name, measure(operations[i].run) - empty);
		fflush(stdout);
		done++;
	}
	if (done && (argc == 1 || done == (size_t)argc - 1))
		return 0;
	fprintf(stderr, "operations: no such operation; there are:");
	for (i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		fprintf(stderr, " %s", operations[i].name);
	fputc('\n', stderr);
	return 2;
}
