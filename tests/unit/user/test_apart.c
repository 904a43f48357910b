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

/* Was all read that it wrote? */
static bool is_whole(void (*read)(const void *what, FILE *to), struct buf *out)
{
	struct apart a;
	char error[256];

	out->len = 0;
	CHECK_INT(apart_begin(&a, read, "text", error), 0);
	return apart_end(&a, !buf_read_max(out, fileno(a.from), 1 << 20));
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

	CHECK_INT(apart_begin(&a, never_end, "t", error), 0);
	CHECK_INT(getc(a.from), 't');
	CHECK(!apart_end(&a, false));
}

static const struct unit_test tests[] = {
	{ "what is read, whatever becomes of other processes", test_whole },
	{ "a process that crashes, or writes too much", test_broken },
	{ "one that does not end is ended", test_endless },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
