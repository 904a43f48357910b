// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_range.c - what begins inside of a power of two: which keys, which calls, which range
 */
#include <stdlib.h>
#include <string.h>

#include "table.h"

static void make_worst(struct table *t)
{
	make(t);
	CHECK(t->e.nr > 0 && t->e.finding[0].worst.nr > 0);
}

/* Calls with $arg1=5 are slow in part; $arg2 is seen as the module or the reader groups it. */
static void check_coarse(const char *format, int step)
{
	struct explain_coarse coarse[EXPLAIN_FINER];
	struct buf text = { 0 };
	struct table t = { 0 };
	char context[128];
	int zone, weight;

	for (zone = 0; zone < 8; zone++)
		for (weight = 256; weight < 1024; weight += step) {
			snprintf(context, sizeof(context), format, zone, weight, 2 * weight);
			add(&t, context, 30, zone == 5 && weight < 512 ? 900 : 100);
		}
	make_worst(&t);
	CHECK_INT(explain_coarse_find(&t.e, &t.g, 1, coarse), 1);
	CHECK_STR(coarse[0].key, "$arg2");
	CHECK_INT(coarse[0].low, 256);
	CHECK_INT(coarse[0].high, 512);
	CHECK_INT(explain_add_conditions(&t.e.finding[0], &text), 3);
	CHECK(strstr(text.data, "$arg1==5"));
	CHECK(strstr(text.data, "$arg2>=256,$arg2<512"));
	text.len = 0;
	explain_add_steps(&coarse[0], &text);
	CHECK_STR(text.data, "linear($arg2,4)");
	buf_free(&text);
	end(&t);
}

static void test_coarse(void)
{
	check_coarse("$arg1=%d,$arg2=%d", 16);
	check_coarse("$arg1=%d,log2($arg2)=[%d,%d)", 256);
}

/* Exact keys, and what is no number, need no finer steps. */
static void test_exact(void)
{
	struct explain_coarse coarse[EXPLAIN_FINER];
	struct buf text = { 0 };
	struct table t = { 0 };

	add(&t, "$arg1=1,comm=\"a\"", 100, 100);
	add(&t, "$arg1=1,comm=\"b\"", 100, 900);
	add(&t, "$arg1=2,comm=\"a\"", 100, 100);
	make_worst(&t);
	CHECK_INT(explain_coarse_find(&t.e, &t.g, 1, coarse), 0);
	CHECK_INT(explain_add_conditions(&t.e.finding[0], &text), 0);
	buf_free(&text);
	end(&t);
}

/* From 384 to 511 calls take 900 ns, else 100; two keys, so that each step has several rows. */
static void test_range(void)
{
	struct explain_range r;
	struct table t = { 0 };
	char context[128];
	int at, other;

	for (at = 256; at < 768; at += 8)
		for (other = 0; other < 2; other++) {
			snprintf(context, sizeof(context),
				 "linear($arg3,2)=[%d,%d),linear($arg2,8)=[%d,%d)", 2 * other,
				 2 * other + 2, at, at + 8);
			add(&t, context, 10, at >= 384 && at < 512 ? 900 : 100);
		}
	add(&t, "[row table full]", 7, 5000);
	latencies_parse(&t.l);
	CHECK(explain_range_find(&r, &t.l.t, "f", 1));
	CHECK_INT(r.low, 384);
	CHECK_INT(r.high, 512);
	CHECK_INT(r.calls, 16 * 20);
	CHECK_INT(r.all, 64 * 20);
	CHECK(r.its > 890 && r.its < 910 && r.others > 90 && r.others < 110);
	CHECK(!explain_range_find(&r, &t.l.t, "f", 0));
	CHECK(!explain_range_find(&r, &t.l.t, "f", 2));
	CHECK(!explain_range_find(&r, &t.l.t, "g", 1));
	latencies_free(&t.l);
}

/* Slow calls that are everywhere, or too few, are no range. */
static void test_none(void)
{
	struct explain_range r;
	struct table t = { 0 };
	char context[128];
	int at;

	for (at = 0; at < 64; at++) {
		snprintf(context, sizeof(context), "linear($arg2,1)=[%d,%d)", at, at + 1);
		add(&t, context, 20, 100);
		add(&t, context, 5, 900);
	}
	add(&t, "linear($arg2,1)=[64,65)", 19, 90000);
	latencies_parse(&t.l);
	CHECK(!explain_range_find(&r, &t.l.t, "f", 0));
	latencies_free(&t.l);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a key that was seen by powers of two is found, with its values", test_coarse },
		{ "an exact key, or a text, is none", test_exact },
		{ "the range that is slow", test_range },
		{ "no range where slow calls are everywhere", test_none },
		{ 0 }
	};

	return unit_run(tests);
}
