// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_inside.c - which of its callees makes a function slow, and what is said of it
 */
#include <math.h>
#include <stdlib.h>

#include "latencies.h"

/* Calls of two lengths, most of them of the first. */
static void add_two(struct latencies *t, const char *target, const char *context, int fast,
		    int slow)
{
	long total = 1900L * fast + 100L * slow;

	latencies_begin(t);
	buf_printf(&t->latency, "%s\t%s\t2000\t0\t%ld\t%ld\t%d\t%d\t%d\t%d\t%d\n", target,
		   context, total, total, fast, fast, fast, slow, slow);
	buf_printf(&t->buckets, "%s\t%s\t%d\t%d\t1900\n", target, context, fast, fast + 1);
	if (slow > fast)
		buf_printf(&t->buckets, "%s\t%s\t%d\t%d\t100\n", target, context, slow, slow + 1);
	else
		buf_printf(&t->buckets, "%s\t%s\t%d\t%d\t100\n", target, context, fast + 1,
			   fast + 2);
}

static bool find_inside(struct latencies *t, struct explain_inside *in, const char *function)
{
	latencies_parse(t);
	return explain_inside_find(in, &t->t, function);
}

/* What is said at the end; to be freed. */
static char *printed_inside(const struct explain_inside *in, bool found)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	explain_print_inside(in, found, "f", &(struct explain_again){ .options = " -a" }, out);
	fclose(out);
	return text;
}

static void check_printed(const struct explain_inside *in, bool found, const char *expected)
{
	char *text = printed_inside(in, found);

	CHECK_STR(text, expected);
	free(text);
}

/* Calls of f are slow where g is; h is not, and what others call is none of f's. */
static void test_inside(void)
{
	struct explain_inside in;
	struct latencies t = { 0 };

	add_two(&t, "f", "-", 100, 2100);
	add_two(&t, "h", "caller=f+0x10", 30, 30);
	add_two(&t, "k", "caller=g+0x10", 30, 90000);
	add_two(&t, "k", "caller=ff+0x10", 30, 90000);
	add_two(&t, "g", "caller=f+0x20", 40, 1640);
	CHECK(find_inside(&t, &in, "f"));
	CHECK_STR(in.callee[0].function, "g");
	CHECK_INT(in.callee[0].calls, 2000);
	CHECK(fabs(in.callee[0].share - 0.8) < 0.01);
	check_printed(&in, true, "#\nwhere f is slow, it is in g, which it calls: 80 % of the time "
		      "above the median;\nkprof explain g -a\n");
	latencies_free(&t);
}

/* From two places together it has most of it, from either alone it has not. */
static void test_inside_places(void)
{
	struct explain_inside in;
	struct latencies t = { 0 };

	add_two(&t, "m:f", "-", 100, 2100);
	add_two(&t, "g", "caller=f+0x20 [m]", 40, 840);
	add_two(&t, "g", "caller=f+0x30 [m]", 40, 840);
	CHECK(find_inside(&t, &in, "m:f"));
	CHECK_INT(in.callee[0].calls, 4000);
	CHECK(fabs(in.callee[0].share - 0.8) < 0.01);
	latencies_free(&t);
}

/* The slow part is f's own, or there is none, or f was not called: each is said. */
static void test_inside_none(void)
{
	struct explain_inside in;
	struct latencies own = { 0 }, even = { 0 }, other = { 0 }, two = { 0 };
	struct latencies wait = { 0 }, long_ones = { 0 };

	add_two(&own, "f", "-", 100, 2100);
	add_two(&own, "g", "caller=f+0x20", 40, 60);
	CHECK(!find_inside(&own, &in, "f"));
	check_printed(&in, false, "#\nno function that it calls has half of the slow calls' time; "
		      "each of the longest calls by itself:\n"
		      "kprof trace f by=caller,comm min=2100ns -a\n");
	latencies_free(&own);
	add_two(&two, "f", "-", 100, 2100);
	add_two(&two, "g", "caller=f+0x20", 40, 440);
	add_two(&two, "h", "caller=f+0x30", 40, 840);
	CHECK(!find_inside(&two, &in, "f"));
	check_printed(&in, false, "#\nno function that it calls has half of the slow calls' time: "
		      "h 40 %, g 20 %; the largest:\nkprof explain h -a\n");
	latencies_free(&two);
	add_two(&even, "f", "-", 100, 120);
	add_two(&even, "g", "caller=f+0x20", 40, 60);
	CHECK(!find_inside(&even, &in, "f"));
	check_printed(&in, false, "#\nno call of f is slow to speak of: only 1.0 % of their time is above "
		      "the median;\neach of the longest calls by itself:\n"
		      "kprof trace f by=caller,comm min=120ns -a\n");
	latencies_free(&even);
	/* All of them take long: none does by itself. */
	add_two(&wait, "f", "-", 1000000, 1200000);
	CHECK(!find_inside(&wait, &in, "f"));
	check_printed(&in, false, "#\nall calls of f take about 1 ms: only 1.0 % of their time is above the "
		      "median;\nif they wait, where:\nkprof offcpu --stacks -a\n");
	latencies_free(&wait);
	/* Some of them do. */
	add_two(&long_ones, "f", "-", 1000000, 9000000);
	CHECK(!find_inside(&long_ones, &in, "f"));
	check_printed(&in, false, "#\nno function that it calls has half of the slow calls' time; "
		      "each of the longest calls by itself:\n"
		      "kprof trace f by=caller,comm min=9000000ns -a\n");
	latencies_free(&long_ones);
	add_two(&other, "g", "caller=f+0x20", 40, 840);
	CHECK(!find_inside(&other, &in, "f"));
	check_printed(&in, false,
		      "#\nf was not called in the last round: what it calls is not known\n");
	latencies_free(&other);
}

/* Only the largest shares are kept, largest first. */
static void test_inside_many(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "g" };
	static const int slow[] = { 240, 640, 440, 340, 540, 840 };
	struct explain_inside in;
	struct latencies t = { 0 };
	size_t i;

	add_two(&t, "f", "-", 100, 2100);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		add_two(&t, names[i], "caller=f+0x20", 40, slow[i]);
	CHECK(!find_inside(&t, &in, "f"));
	CHECK_INT(in.nr, EXPLAIN_SHOWN);
	CHECK_STR(in.callee[0].function, "g");
	CHECK_STR(in.callee[1].function, "b");
	CHECK_STR(in.callee[2].function, "e");
	CHECK_STR(in.callee[3].function, "c");
	latencies_free(&t);
}

static const struct unit_test tests[] = {
	{ "a callee that is slow", test_inside },
	{ "a callee from two places", test_inside_places },
	{ "no callee is slow", test_inside_none },
	{ "of many callees those with the largest shares", test_inside_many },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
