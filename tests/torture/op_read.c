// SPDX-License-Identifier: GPL-2.0-only
/*
 * op_read.c - read kprof's files: whole, in odd chunks, from anywhere, never to the end
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torture.h"

#define MAX_READ	(1 << 20)

static char *buffer;

static bool is(const char *path, const char *name)
{
	return !strcmp(path + strlen(path) - strlen(name), name);
}

static void check(const char *path, ssize_t n)
{
	if (n < 0 && errno != ESPIPE && errno != EINTR && !documented(errno))
		wrong("read of %s: %s", path, strerror(errno));
}

/* As much as fits; returns its size. */
static size_t read_whole(int fd, const char *path)
{
	size_t size = 0;
	ssize_t n;

	while (size < MAX_READ) {
		n = read(fd, buffer + size, MAX_READ - size);
		check(path, n);
		if (n <= 0)
			break;
		size += n;
	}
	return size;
}

static void read_chunks(int fd, const char *path)
{
	int turns = random_below(50);
	ssize_t n = 1;

	while (turns-- && n > 0) {
		n = read(fd, buffer, random_below(random_chance(50) ? 50 : 5000));
		check(path, n);
		if (random_chance(20))
			lseek(fd, (off_t)random_below(100000) - 500, random_below(3));
		if (random_chance(5))
			pread(fd, buffer, 10, random_below(1000));
		if (random_chance(5))
			random_pause(30);
	}
}

static void wait_a_little(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	poll(&poll_fd, 1, random_below(100));
}

static void read_one(const char *path)
{
	bool stats = is(path, "/stats");
	size_t size;
	bool blocking = random_chance(20);
	int fd = open(path, O_RDONLY | (blocking ? 0 : O_NONBLOCK));

	if (fd < 0) {
		if (errno != ENOENT && !documented(errno))
			wrong("open of %s: %s", path, strerror(errno));
		return;
	}
	if (blocking)
		ualarm(1 + random_below(300000), 300000);
	else if (random_chance(30))
		wait_a_little(fd);
	if (stats || random_chance(50)) {
		size = read_whole(fd, path);
		buffer[size] = '\0';
		if (stats)
			account_check(buffer);
	} else {
		read_chunks(fd, path);
	}
	if (random_chance(2) && read(fd, nowhere(), 4096) > 0)
		wrong("read of %s into memory that is none", path);
	ualarm(0, 0);
	close(fd);
}

/* Ends a read that blocks, nothing else. */
static void wake_up(int unused)
{
	(void)unused;
}

void torture_reads(void)
{
	const char *path = random_chance(30) ? KPROF "/stats" : files_readable();

	if (!buffer) {
		buffer = malloc(MAX_READ + 1);
		sigaction(SIGALRM, &(struct sigaction) { .sa_handler = wake_up }, NULL);
	}
	doing("read %s", path);
	read_one(path);
	random_pause(20);
}
