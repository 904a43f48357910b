// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_holes.c - commands with holes
 */
#include <stdlib.h>
#include <string.h>

#include "explore/holes.h"
#include "lib/mem.h"
#include "unit.h"

/* The command with these values, its arguments joined by "|". */
static void check_filled(char *const *argument, const int64_t *value, const char *expected)
{
	struct holes h = { .nr = 0 };
	struct buf text = { 0 };
	char error[256], **command, **a;

	CHECK_INT(holes_parse(&h, argument, error), 0);
	command = holes_fill(&h, value);
	for (a = command; *a; a++)
		buf_printf(&text, "%s%s", a == command ? "" : "|", *a);
	CHECK_STR(text.data, expected);
	holes_free_command(command);
	buf_free(&text);
	holes_free(&h);
}

/* All holes get the same value. */
#define FILLED(expected, number, ...) \
	check_filled((char *[]){ __VA_ARGS__, NULL }, (int64_t []){ number, number }, expected)

static void test_fill(void)
{
	FILLED("dd|bs=17|count=17k", 17, "dd", "bs={n:1..65536}", "count={n}k");
	FILLED("a|yb", 1, "a", "{x:-x,y}b");
	FILLED("a|-5", -5, "a", "{_n1:-10..10}");
	/* What is left out, and what is only empty. */
	FILLED("a|f", 0, "a", "{flag:,-l}", "f");
	FILLED("a|-l|f", 1, "a", "{flag:,-l}", "f");
	FILLED("a|x|f", 0, "a", "x{flag:,-l}", "f");
	FILLED("|f", 0, "{flag:,-l}", "f");
	/* Braces that are nothing special. */
	FILLED("a|1{print}{}${n}${n:1}{ n:1,2}{1:2,3}{n:1", 1, "a",
	       "{n:1..2}{print}{}${n}${n:1}{ n:1,2}{1:2,3}{n:1");
	FILLED("a|{n:3,4}2{{}", 2, "a", "{{n:3,4}{n:1..2}{{}");
}

static void check_refused(char *const *argument, const char *part)
{
	struct holes h = { .nr = 0 };
	char error[256] = "";

	CHECK_INT(holes_parse(&h, argument, error), -1);
	CHECK(strstr(error, part));
	holes_free(&h);
}

#define REFUSED(part, ...)	check_refused((char *[]){ __VA_ARGS__, NULL }, part)

static void test_refuse(void)
{
	REFUSED("no hole", "a", "{n}", "${n:1,2}");
	REFUSED("{n:5..4}: the first number is not below", "{n:5..4}");
	REFUSED("{n:4..4}: the first number is not below", "{n:4..4}");
	REFUSED("whole numbers", "{n:1..99999999999999999999}");
	REFUSED("whole numbers", "{n:1..x}");
	REFUSED("{n:x}: one value", "{n:x}");
	REFUSED("{n:}: one value", "{n:}");
	REFUSED("{n:3,4}: there is one", "{n:1,2}", "{n:3,4}");
}

static void check_ways(char *argument, uint64_t expected)
{
	struct holes h = { .nr = 0 };
	char error[256];

	CHECK_INT(holes_parse(&h, (char *[]){ argument, NULL }, error), 0);
	CHECK(holes_ways(&h) == expected);
	holes_free(&h);
}

static void test_ways(void)
{
	check_ways("{a:1..10}{b:x,y,z}{a}", 30);
	check_ways("{a:-9223372036854775808..9223372036854775807}", UINT64_MAX);
	check_ways("{a:0..9223372036854775807}{b:0..9223372036854775807}", UINT64_MAX);
}

static void test_many(void)
{
	char *command[HOLES_MAX + 2] = { NULL };
	struct holes h = { .nr = 0 };
	char error[256];
	int i;

	for (i = 0; i <= HOLES_MAX; i++) {
		struct buf text = { 0 };

		buf_printf(&text, "{n%d:1..2}", i);
		command[i] = text.data;
	}
	CHECK_INT(holes_parse(&h, command, error), -1);
	CHECK_STR(error, "more than 64 holes");
	holes_free(&h);
	for (i = 0; i <= HOLES_MAX; i++)
		free(command[i]);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "commands are filled with values", test_fill },
		{ "what is no hole is refused, with the reason", test_refuse },
		{ "the number of ways to fill the holes", test_ways },
		{ "too many holes", test_many },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
