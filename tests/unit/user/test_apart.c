// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_apart.c - what another process reads, and what it is made to do
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/buf.h"
#include "unit.h"
#include "user/apart.h"

static void write_text(const void *what, FILE *to)
{
	fputs(what, to);
}

static void crash(const void *what, FILE *to)
{
	fputs(what, to);
	fflush(to);
	raise(SIGKILL);
}

static void never_end(const void *what, FILE *to)
{
	fputs(what, to);
	fflush(to);
	for (;;)
		pause();
}

static void write_without_end(const void *what, FILE *to)
{
	while (!ferror(to))
		fputs(what, to);
}

/* Was all read that it wrote of the file @fd? */
static bool is_whole_of(int fd, void (*read)(const void *what, FILE *to), struct buf *out)
{
	struct apart a;
	char error[256];

	out->len = 0;
	CHECK_INT(apart_begin(&a, fd, read, "text", error), 0);
	return apart_end(&a, !buf_read_max(out, fileno(a.from), 1 << 20));
}

static bool is_whole(void (*read)(const void *what, FILE *to), struct buf *out)
{
	return is_whole_of(STDIN_FILENO, read, out);
}

static void test_whole(void)
{
	struct buf out = { 0 };

	CHECK(is_whole(write_text, &out));
	CHECK_STR(out.data, "text");
	signal(SIGCHLD, SIG_IGN);
	CHECK(is_whole(write_text, &out));
	buf_free(&out);
}

static void test_broken(void)
{
	struct buf out = { 0 };

	CHECK(!is_whole(crash, &out));
	CHECK_STR(out.data, "text");
	CHECK(!is_whole(write_without_end, &out));
	buf_free(&out);
}

static void test_endless(void)
{
	struct apart a;
	char error[256];

	CHECK_INT(apart_begin(&a, STDIN_FILENO, never_end, "t", error), 0);
	CHECK_INT(getc(a.from), 't');
	CHECK(!apart_end(&a, false));
}

/* A file of @owner, which need not be the caller's: only root can make that. */
static int file_of(uid_t owner)
{
	FILE *file = tmpfile();
	int fd = file ? dup(fileno(file)) : -1;

	if (file)
		fclose(file);
	CHECK(fd >= 0 && !fchown(fd, owner, -1));
	return fd;
}

/* How many of @nr files of @owner that cannot be read to the end are begun with? */
static unsigned int begun(uid_t owner, unsigned int nr)
{
	unsigned int i, nr_begun = 0;
	int fd = file_of(owner);
	struct apart a;
	char error[256];

	for (i = 0; i < nr; i++) {
		if (apart_begin(&a, fd, crash, "text", error))
			continue;
		nr_begun++;
		CHECK(!apart_end(&a, true));
	}
	close(fd);
	return nr_begun;
}

static void test_patience(void)
{
	struct buf out = { 0 };
	int fd;

	CHECK_INT(begun(geteuid(), APART_ALL + 1), APART_ALL + 1);
	if (geteuid())
		return;
	CHECK_INT(begun(1001, 10), APART_FAILURES);
	fd = file_of(1002);
	CHECK(is_whole_of(fd, write_text, &out));
	CHECK_INT(begun(1002, 1), 1);
	CHECK(is_whole_of(fd, write_text, &out));
	CHECK_INT(begun(1003, 10), APART_FAILURES);
	CHECK_INT(begun(1004, 10), APART_ALL - 2 * APART_FAILURES - 1);
	CHECK_INT(begun(1005, 10), 0);
	CHECK(is_whole(write_text, &out));
	close(fd);
	buf_free(&out);
}

static const struct unit_test tests[] = {
	{ "what is read, whatever becomes of other processes", test_whole },
	{ "a process that crashes, or writes too much", test_broken },
	{ "one that does not end is ended", test_endless },
	{ "files of a user that cannot be read to the end are soon not read", test_patience },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
