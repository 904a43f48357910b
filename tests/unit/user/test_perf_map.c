// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_perf_map.c - functions of code that a process has generated, from its perf-PID.map
 */
#include <stdlib.h>
#include <string.h>

#include "lib/buf.h"
#include "unit.h"
#include "user/code.h"
#include "user/perf_map.h"

/* All functions of a map: "START SIZE NAME", and behind it what it replaced. */
static void expect(const char *map, size_t before, const char *expected)
{
	struct user_functions f = { 0 };
	struct buf text = { 0 }, out = { 0 };
	size_t i;

	buf_add(&text, map, strlen(map));
	buf_add(&out, "", 0);
	user_perf_map_read(&f, &text, before);
	user_functions_sort(&f);
	for (i = 0; i < f.nr; i++)
		buf_printf(&out, "%lx %lx %s%s%s\n", (unsigned long)f.item[i].start,
			   (unsigned long)f.item[i].size, f.item[i].name,
			   f.item[i].nr_others ? " or " : "",
			   f.item[i].other ? f.item[i].other :
					     f.item[i].nr_others ? "others" : "");
	CHECK_STR(out.data, expected);
	user_functions_free(&f);
	buf_free(&text);
	buf_free(&out);
}

static void test_lines(void)
{
	expect("1000 10 a\n2000 20 b c\n", 0, "1000 10 a\n2000 20 b c\n");
	expect("0x0000000000001000 0x10 a", 0, "1000 10 a\n");
	expect("", 0, "");
	expect("\n\040\n1000\n1000 10\n1000 10\040\n1000  10 a\n", 0, "");
	expect("x 10 a\n0x 10 a\n10x 10 a\n-1 1 a\n", 0, "");
	expect("10000000000000000 10 a\n1000 10000000000000000 a\n", 0, "");
	expect("1000000000000 10 a\n", 0, "");
	expect("fffffffffff0 ffffffffffffffff a\n", 0, "fffffffffff0 f a\n");
	/* Without a size, up to the next one. */
	expect("1000 0 a\n2000 0 b\n1800 10 c\n", 0, "1000 800 a\n1800 10 c\n2000 10000 b\n");
}

static void test_replaced(void)
{
	/* The last line is on top, whatever its name. */
	expect("1000 10 b\n1000 10 a\n", 0, "1000 10 a or b\n");
	expect("1000 10 a\n1000 10 b\n", 0, "1000 10 b or a\n");
	expect("1000 10 a\n1000 10 a\n", 0, "1000 10 a\n");
	expect("1000 10 a\n1000 10 b\n1000 10 c\n", 0, "1000 10 c or others\n");
	expect("1000 10 a\n1000 10 b\n1000 10 a\n", 0, "1000 10 a or b\n");
	/* It need not begin where the other one began. */
	expect("1000 100 a\n1040 40 b\n", 0, "1000 40 a\n1040 40 b or a\n1080 80 a\n");
	expect("1000 40 a\n1040 40 b\n1020 40 c\n", 0,
	       "1000 20 a\n1020 40 c or others\n1060 20 b\n");
	expect("1000 40 a\n1080 40 a\n1000 100 b\n", 0, "1000 100 b or a\n");
	/* Neighbours do not touch each other. */
	expect("1000 40 a\n1040 40 b\n1080 40 a\n", 0, "1000 40 a\n1040 40 b\n1080 40 a\n");
}

/* What was replaced before the first sample was not sampled. */
static void test_before(void)
{
	expect("1000 10 a\n1000 10 b\n", 20, "1000 10 b\n");
	expect("1000 10 a\n1000 10 b\n", 10, "1000 10 b or a\n");
	expect("1000 10 a\n1000 10 b\n1000 10 c\n", 20, "1000 10 c or b\n");
	expect("1000 10 a\n1000 10 b\n", 1000, "1000 10 b or a\n");
}

static size_t count(const struct buf *text)
{
	struct user_functions f = { 0 };
	size_t nr;

	user_perf_map_read(&f, text, text->len / 2);
	nr = f.nr;
	user_functions_free(&f);
	return nr;
}

/* Many layers take no more than their number. */
static void test_many(void)
{
	struct buf text = { 0 };
	unsigned int i;

	for (i = 0; i < 200000; i++)
		buf_printf(&text, "%x %x n%x\n", i, 0x10000000 - 2 * i, i);
	CHECK(count(&text) >= 200000 && count(&text) < 800000);
	text.len = 0;
	for (i = 0; i < 200000; i++)
		buf_printf(&text, "%x ffffffff n%x\n", 0x100000 - i, i);
	CHECK(count(&text) >= 1 && count(&text) < 800000);
	buf_free(&text);
}

static const struct unit_test tests[] = {
	{ "lines, and what is none", test_lines },
	{ "functions that others replace", test_replaced },
	{ "what was replaced before there were samples", test_before },
	{ "many in layers", test_many },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
