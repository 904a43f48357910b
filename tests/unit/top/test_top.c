// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_top.c - the rows of an interval, and what keys do to them
 */
#include <stdlib.h>

#include "top/top.h"
#include "unit.h"

static struct top_interval interval;
static struct top_rows rows;
static struct top_state state;

static void begin(const char *folded)
{
	interval = (struct top_interval){ .seconds = 2 };
	state = (struct top_state){ .page = 2 };
	folded_init(&interval.stacks, FOLDED_MERGE);
	folded_parse(&interval.stacks, folded, strlen(folded), "test");
	top_rows(&rows, &interval, &state.view);
}

static void end(void)
{
	while (top_view_leave(&state.view))
		;
	top_rows_free(&rows);
	top_interval_free(&interval);
}

/* All rows as text, in nanoseconds: "NAME SELF TOTAL; ..." */
static const char *all(void)
{
	static char text[1024];
	size_t i, len = 0;

	*text = '\0';
	for (i = 0; i < rows.nr; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s %.0Lf %.0Lf", i ? "; " : "",
				rows.row[i].name, rows.row[i].self, rows.row[i].total);
	return text;
}

/* Type keys, as the verb does: after each of them there are other rows. */
static void keys(const char *text)
{
	size_t len = strlen(text), used;

	while (len) {
		used = top_key(&state, text, len, &rows);
		text += used;
		len -= used;
		top_rows_free(&rows);
		top_rows(&rows, &interval, &state.view);
	}
}

static const char *screen(size_t lines)
{
	static struct buf out;

	out.len = 0;
	top_screen(&out, &state, &interval, &rows, lines);
	return out.data;
}

#define STACKS	"one;a;b 10\none;a;c 5\ntwo;d;b 30\ntwo;[user] 5\n"

static void test_rows(void)
{
	begin(STACKS);
	CHECK_STR(all(), "b 40 40; [user] 5 5; c 5 5; d 0 30; a 0 15");
	CHECK_INT((uint64_t)rows.sum, 50);
	keys("t");
	CHECK_STR(all(), "b 40 40; d 0 30; a 0 15; [user] 5 5; c 5 5");
	keys("n");
	CHECK_STR(all(), "[user] 5 5; a 0 15; b 40 40; c 5 5; d 0 30");
	keys("s");
	CHECK_STR(all(), "b 40 40; [user] 5 5; c 5 5; d 0 30; a 0 15");
	end();
}

/* More than the CPUs had in the interval. */
static void test_earlier(void)
{
	begin("one;a 1036000000\n");
	interval.seconds = 0.3;
	interval.cpus = 2;
	CHECK(strstr(screen(20), "of these 1.036 s, 0.436 s or more are from before the interval"));
	interval.seconds = 0.6;
	CHECK(!strstr(screen(20), "before the interval"));
	end();
}

/* A function that calls itself, directly or not, has its time once. */
static void test_recursion(void)
{
	begin("x;f;g;f;g;f 8\nx;h;f 2\n");
	CHECK_STR(all(), "f 10 10; g 0 8; h 0 2");
	keys("\r");
	CHECK_STR(all(), "x 8 8; h 2 2");
	end();
}

static void test_callers(void)
{
	begin(STACKS);
	keys("\r");
	CHECK_STR(all(), "d 30 30; a 10 10");
	CHECK_INT(state.view.depth, 1);
	keys("j\033[C");
	CHECK_STR(all(), "one 10 10");
	/* Nobody calls a task. */
	keys("\r");
	CHECK_STR(all(), "");
	keys("\r\033OD");
	CHECK_STR(all(), "one 10 10");
	keys("\177\b");
	CHECK_INT(state.view.depth, 0);
	CHECK_INT(rows.nr, 5);
	keys("\177");
	CHECK_INT(rows.nr, 5);
	end();
}

/* Callers are remembered by name: the next interval has other stacks. */
static void test_next_interval(void)
{
	const char *next = "new;x;b 7\nnew;z 1\n";

	begin(STACKS);
	keys("\r");
	top_rows_free(&rows);
	top_interval_free(&interval);
	folded_init(&interval.stacks, FOLDED_MERGE);
	folded_parse(&interval.stacks, next, strlen(next), "test");
	top_rows(&rows, &interval, &state.view);
	CHECK_STR(all(), "x 7 7");
	CHECK_INT((uint64_t)rows.sum, 8);
	end();
}

static void test_deep(void)
{
	struct buf text = { 0 };
	int i;

	buf_printf(&text, "task");
	for (i = 0; i < 40; i++)
		buf_printf(&text, ";f%d", i);
	buf_printf(&text, " 1\n");
	begin(text.data);
	for (i = 0; i < TOP_DEPTH + 3; i++)
		keys("\r");
	CHECK_INT(state.view.depth, TOP_DEPTH);
	CHECK_STR(state.message, "callers go no further than 16 levels");
	end();
	buf_free(&text);
}

static void test_filters(void)
{
	begin(STACKS);
	keys("/B\n");
	CHECK_STR(all(), "b 40 40");
	keys("/\r");
	CHECK_INT(rows.nr, 5);
	keys("cx*,tw?\r");
	CHECK_STR(all(), "b 30 30; [user] 5 5; d 0 30");
	CHECK_INT((uint64_t)rows.sum, 35);
	/* Esc leaves it as it was, and a key for a question is none for the rows. */
	keys("cq\033");
	CHECK(!state.quit);
	CHECK_STR(state.view.comm, "x*,tw?");
	keys("p12,x\r");
	CHECK(!state.pid_changed);
	CHECK_STR(state.message, "'12,x' is no list of processes such as 12,34");
	keys("p1x\1772\r");
	CHECK(state.pid_changed);
	CHECK_STR(state.pid, "12");
	keys("p0\rp1,\rp4294967296\r");
	CHECK_STR(state.pid, "12");
	keys("q");
	CHECK(state.quit);
	end();
}

#define CGROUPS	"cgroup:/;k;idle 1\n" \
		"cgroup:/some/x;sh;f;g 10\ncgroup:/some/x;make;f 20\n" \
		"cgroup:/some/x/y;make;f 30\ncgroup:/somex;sh;h 4\n" \
		"[cgroup table full];sh;h 2\n"

/* The same stacks, with the cgroup of each task first. */
static void begin_cgroups(void)
{
	begin(CGROUPS);
	interval.has_cgroups = true;
	keys("g");
}

static void test_cgroups(void)
{
	begin_cgroups();
	CHECK(state.wants_cgroups);
	CHECK_STR(all(), "/some/x 30 60; /some/x/y 30 30; /somex 4 4; "
			 "[cgroup table full] 2 2; / 1 65; /some 0 60");
	CHECK_INT((uint64_t)rows.sum, 67);
	CHECK(strstr(screen(20), "total%    self_ms  cgroup"));
	keys("t");
	CHECK_STR(all(), "/ 1 65; /some/x 30 60; /some 0 60; /some/x/y 30 30; "
			 "/somex 4 4; [cgroup table full] 2 2");
	keys("n/OME/\r");
	CHECK_STR(all(), "/some/x 30 60; /some/x/y 30 30");
	keys("/\rcmake\r");
	CHECK_STR(all(), "/ 0 50; /some 0 50; /some/x 20 50; /some/x/y 30 30");
	CHECK_INT((uint64_t)rows.sum, 50);
	keys("g");
	CHECK_STR(all(), "f 50 50");
	end();
}

/* A cgroup is left out of its tasks' stacks. */
static void test_inside(void)
{
	begin_cgroups();
	keys("tj\r");
	CHECK_STR(state.view.inside, "/some/x");
	CHECK_STR(all(), "f 50 60; g 10 10");
	CHECK_INT((uint64_t)rows.sum, 60);
	CHECK(strstr(screen(20), "; cgroup /some/x; by total"));
	keys("j\r");
	CHECK_STR(all(), "f 10 10");
	keys("\r");
	CHECK_STR(all(), "sh 10 10");
	keys("\177\177");
	CHECK_STR(all(), "f 50 60; g 10 10");
	keys("\177");
	CHECK(state.view.by_cgroup && !state.view.inside);
	CHECK_INT(rows.nr, 6);
	keys("\177");
	CHECK(state.view.by_cgroup);
	/* With all below it, which "/somex" is not. */
	keys("jj\r");
	CHECK_STR(state.view.inside, "/some");
	CHECK_INT((uint64_t)rows.sum, 60);
	keys("gt\r");
	CHECK_STR(state.view.inside, "/");
	CHECK_INT((uint64_t)rows.sum, 65);
	/* From the callers of a function, too. */
	keys("\rg");
	CHECK_INT(state.view.depth, 0);
	CHECK(state.view.by_cgroup && !state.view.inside);
	CHECK_INT(rows.nr, 6);
	end();
}

static void test_cgroup_filter(void)
{
	begin_cgroups();
	keys("gG/some/*\r");
	CHECK_STR(all(), "f 50 60; g 10 10");
	keys("g");
	CHECK_STR(all(), "/some/x 30 60; /some/x/y 30 30; / 0 60; /some 0 60");
	CHECK(strstr(screen(20), "cgroups '/some/*'; by self"));
	keys("G[[]cgroup*,/\r");
	CHECK_STR(all(), "[cgroup table full] 2 2; / 1 1");
	state.wants_cgroups = false;
	keys("G\r");
	CHECK(!state.wants_cgroups);
	CHECK_INT(rows.nr, 6);
	end();
}

/* The interval in which cgroups are asked for has none yet; a task may be named like one. */
static void test_no_cgroups(void)
{
	begin("cgroup:/z;f 3\nsh;f 4\n");
	keys("g");
	CHECK_STR(all(), "[no cgroup] 7 7");
	keys("\r");
	CHECK_STR(all(), "f 7 7");
	keys("\r");
	CHECK_STR(all(), "sh 4 4; cgroup:/z 3 3");
	end();
	/* Nor is a stack that has nothing else. */
	begin("cgroup:/z 3\ncgroup: ;sh;f 2\n");
	interval.has_cgroups = true;
	keys("g");
	CHECK_STR(all(), "[no cgroup] 3 3;   2 2");
	end();
}

static void test_long_answer(void)
{
	char text[200];

	memset(text, 'a', sizeof(text) - 2);
	text[0] = '/';
	text[sizeof(text) - 2] = '\r';
	text[sizeof(text) - 1] = '\0';
	begin(STACKS);
	keys(text);
	CHECK_INT(strlen(state.view.text), sizeof(state.view.text) - 1);
	CHECK_INT(rows.nr, 0);
	keys("\r\033[B\033[F\033[6~");
	CHECK_INT(state.selected, 0);
	end();
}

static void test_selection(void)
{
	begin(STACKS);
	keys("k");
	CHECK_INT(state.selected, 0);
	keys("j\033[B\033OB");
	CHECK_INT(state.selected, 3);
	keys("\033[6~\033[6~");
	CHECK_INT(state.selected, 4);
	keys("\033[5~");
	CHECK_INT(state.selected, 2);
	keys("\033[F\033[A");
	CHECK_INT(state.selected, 3);
	/* What is no key does nothing: cut, unknown, or not from a keyboard. */
	keys("\033[999;999~\033[Z\001\377\033[");
	CHECK_INT(state.selected, 3);
	CHECK_INT(state.view.depth, 0);
	keys("\033[1~");
	CHECK_INT(state.selected, 0);
	end();
}

static void test_screen(void)
{
	begin("e\033vil;bad\033[31m 1\nx;f 3\n");
	interval.recorded = 4;
	/* Five lines are for the heading and the bottom: there is one row. */
	CHECK(strstr(screen(6), "\033[7m   75.00    75.00"));
	CHECK(!strstr(screen(6), "bad"));
	keys("j");
	CHECK(strstr(screen(6), "\033[7m   25.00    25.00"));
	CHECK(strstr(screen(6), "bad\\x1b[31m"));
	CHECK(!strstr(screen(6), "\033[31m"));
	CHECK(!strstr(screen(6), "75.00"));
	keys("c\177e*");
	CHECK(strstr(screen(6), "tasks (pattern): e*_"));
	/* No terminal is too small. */
	CHECK(screen(1) && screen(0));
	end();
}

static const struct unit_test tests[] = {
	{ "functions by self time, total time and name", test_rows },
	{ "ticks that came late are from before the interval", test_earlier },
	{ "recursion", test_recursion },
	{ "callers, of callers, and back", test_callers },
	{ "callers in the next interval", test_next_interval },
	{ "callers only so far", test_deep },
	{ "filters", test_filters },
	{ "cgroups, with those below them", test_cgroups },
	{ "the functions of a cgroup, and back", test_inside },
	{ "only some cgroups", test_cgroup_filter },
	{ "tasks without a cgroup", test_no_cgroups },
	{ "an answer that is too long", test_long_answer },
	{ "selecting a row", test_selection },
	{ "the screen, of hostile names", test_screen },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
