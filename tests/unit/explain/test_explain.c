// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_explain.c - which keys explain the latency: shares that can be computed by hand
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* 1000 calls of 100 and 1000 of 300, all told apart by the key: all of the variance. */
static void test_all(void)
{
	struct table t = { 0 };

	add(&t, "$arg1=1", 1000, 100);
	add(&t, "$arg1=2", 1000, 300);
	make(&t);
	CHECK_INT(t.e.nr, 1);
	CHECK(fabs(t.e.finding[0].explains - 1) < 0.000001);
	CHECK_INT(t.e.finding[0].worst.nr, 1);
	CHECK_INT(t.e.finding[0].worst.value[0].calls, 1000);
	CHECK(fabs(t.e.finding[0].worst.value[0].ratio - 3) < 0.000001);
	end(&t);
}

/*
 * Means of 150 and 250 around 200, each with calls of 50 less and more: between 2500,
 * within 2500, so eta squared is a half; adjusted for two values of 4000 calls it is
 * 1 - 0.5 x 3999 / 3998.
 */
static void test_half(void)
{
	struct table t = { 0 };

	add(&t, "$arg1=1,cpu=0", 1000, 100);
	add(&t, "$arg1=1,cpu=1", 1000, 200);
	add(&t, "$arg1=2,cpu=2", 1000, 200);
	add(&t, "$arg1=2,cpu=3", 1000, 300);
	make(&t);
	CHECK_STR(t.g.key[t.e.finding[0].key[0]].text, "cpu");
	CHECK_STR(t.g.key[t.e.finding[1].key[0]].text, "$arg1");
	CHECK(fabs(t.e.finding[1].explains - (1 - 0.5 * 3999 / 3998)) < 0.000001);
	CHECK_INT(t.e.nr, 2);	/* the pair is no more than cpu alone */
	end(&t);
}

/* Neither key says anything, both together all: the pair is told, and first. */
static void test_pair(void)
{
	struct table t = { 0 };

	add(&t, "$arg1=1,$arg2=1", 1000, 100);
	add(&t, "$arg1=1,$arg2=2", 1000, 300);
	add(&t, "$arg1=2,$arg2=1", 1000, 300);
	add(&t, "$arg1=2,$arg2=2", 1000, 100);
	make(&t);
	CHECK_INT(t.e.nr, 3);
	CHECK(t.e.finding[0].key[1] == 1 && fabs(t.e.finding[0].explains - 1) < 0.000001);
	CHECK(t.e.finding[1].explains == 0);
	end(&t);
}

/* A key, or a pair of keys in either order, that two groups have is told once. */
static void test_told_once(void)
{
	struct table a = { 0 }, b = { 0 };
	char error[256] = "";
	size_t i, pairs = 0;

	add(&a, "$arg1=1,$arg2=1", 1000, 100);
	add(&a, "$arg1=1,$arg2=2", 1000, 300);
	add(&a, "$arg1=2,$arg2=1", 1000, 300);
	add(&a, "$arg1=2,$arg2=2", 1000, 100);
	add(&b, "$arg2=1,$arg1=1", 1000, 100);
	add(&b, "$arg2=1,$arg1=2", 1000, 300);
	add(&b, "$arg2=2,$arg1=1", 1000, 310);
	add(&b, "$arg2=2,$arg1=2", 1000, 100);
	latencies_parse(&b.l);
	CHECK_INT(explain_group_make(&b.g, &b.l.t, "f", error), 0);
	explain_add(&a.e, &b.g);
	make(&a);
	CHECK_INT(a.e.nr, 3);
	for (i = 0; i < a.e.nr; i++)
		pairs += a.e.finding[i].key[1] >= 0;
	CHECK_INT(pairs, 1);
	end(&a);
	end(&b);
}

/* What only shares one key with a pair, or is a pair of a key that is told alone, is told too. */
static void test_told_apart(void)
{
	struct table t = { 0 };

	add(&t, "$arg1=1,$arg2=1,cpu=0", 1000, 100);
	add(&t, "$arg1=1,$arg2=2,cpu=0", 1000, 300);
	add(&t, "$arg1=2,$arg2=1,cpu=1", 1000, 300);
	add(&t, "$arg1=2,$arg2=2,cpu=1", 1000, 100);
	make(&t);
	/* Two pairs that say all, and three keys that say nothing; cpu and $arg1 are one. */
	CHECK_INT(t.e.nr, 5);
	CHECK(t.e.finding[0].key[1] >= 0 && t.e.finding[1].key[1] >= 0);
	CHECK(t.e.finding[0].key[0] != t.e.finding[1].key[0] ||
	      t.e.finding[0].key[1] != t.e.finding[1].key[1]);
	end(&t);
}

/* A value to each call: what it would explain is by chance. */
static void test_many_values(void)
{
	struct table t = { 0 };
	char context[64];
	int i;

	for (i = 0; i < 2000; i++) {
		snprintf(context, sizeof(context), "pid=%d", 1000 + i);
		add(&t, context, 1, i % 7 ? 100 : 300);
	}
	make(&t);
	CHECK_INT(t.g.key[0].kind, EXPLAIN_LOG2);
	CHECK(t.e.finding[0].explains < 0.01);
	end(&t);
}

static char *printed(const struct table *t)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	explain_print(&t->e, &t->g, 1, out);
	fclose(out);
	return text;
}

/* Keys that cannot explain anything, and why; numbers, of which one alone is none. */
static void test_left_out(void)
{
	struct table t = { 0 };
	char context[128], *text;
	int i;

	for (i = 0; i < 600; i++) {
		snprintf(context, sizeof(context), "$arg1=7,$arg2=%lld,comm=%s%d,cpu=%d",
			 -0x7f0000000000ll + 4096ll * i, i ? "t" : "", i, i % 2);
		add(&t, context, 10, 100 + i % 2 * 500);
	}
	make(&t);
	CHECK_INT(t.g.key[2].kind, EXPLAIN_FREQUENT);
	text = printed(&t);
	CHECK(strstr(text, "\n# left out: $arg1: always the same\n"));
	CHECK(strstr(text, "\n# left out: $arg2: too many values, all of them addresses\n"));
	free(text);
	end(&t);
}

/* Of a key that explains half, the other half is told of; of one that explains all nothing is. */
static void test_rest(void)
{
	struct table half = { 0 }, all = { 0 };
	char *text;

	add(&half, "$arg1=1", 1000, 100);
	add(&half, "$arg1=1", 1000, 200);
	add(&half, "$arg1=2", 1000, 200);
	add(&half, "$arg1=2", 1000, 300);
	make(&half);
	text = printed(&half);
	CHECK(strstr(text, "\n# 50.0 % is explained; the rest goes with none of these keys: "));
	free(text);
	end(&half);
	add(&all, "$arg1=1", 1000, 100);
	add(&all, "$arg1=2", 1000, 300);
	make(&all);
	text = printed(&all);
	CHECK(!strstr(text, "is explained"));
	free(text);
	end(&all);
}

/*
 * Two rounds: in the first most calls found the table full, and are in no number but that of those;
 * the second has the value. Which number is of which round is said, and that it is not affected.
 */
static void test_rounds(void)
{
	struct table full = { 0 }, t = { 0 };
	struct explain_group group[2];
	char *text, error[256] = "";
	FILE *out;
	size_t len;

	add(&full, "cpu=0", 3000, 100);
	add(&full, "cpu=1", 2000, 100);
	add(&full, "[row table full]", 7000, 900);
	add(&t, "$arg1=1", 1000, 100);
	add(&t, "$arg1=2", 1000, 300);
	latencies_parse(&full.l);
	latencies_parse(&t.l);
	CHECK_INT(explain_group_make(&group[0], &full.l.t, "f", error), 0);
	CHECK_INT(explain_group_make(&group[1], &t.l.t, "f", error), 0);
	group[0].round = 2;
	group[1].round = 3;
	explain_add(&t.e, &group[0]);
	explain_add(&t.e, &group[1]);
	explain_finish(&t.e);
	t.e.target = "f";
	t.e.again = (struct explain_again){ .options = " -a", .filters = " min=3ns",
					    .command = " -- make", .net = true };
	out = open_memstream(&text, &len);
	explain_print(&t.e, group, 2, out);
	fclose(out);
	CHECK(strstr(text, "# f: 5,000 calls, 100 ns on average in round 2;"));
	CHECK(strstr(text, "\n$arg1=2: 1,000 of 2,000 calls, 3.0 times slower, 75.0 % of the total; "
		     "at the median 300 ns, others 100 ns\n"
		     "# these are calls of round 3, those of the first line of round 2:"));
	CHECK(strstr(text, "\n# left out in round 2: 7000 of 12000 calls that found the table of rows "
		     "full: the result above is not affected,\n# being of round 3; but what cpu "));
	CHECK(strstr(text, ": kprof lat f 'by=$arg1' min=3ns -a --net -- make\n"));
	free(text);
	explain_group_free(&group[0]);
	explain_group_free(&group[1]);
	end(&full);
	end(&t);
}

/* Calls with both values of a pair and all others, at the median: an interruption is not in it. */
static void test_medians(void)
{
	struct table t = { 0 };
	char *text;
	FILE *out;
	size_t len;

	add(&t, "$arg1=3,$arg2=5", 99, 1900);
	add(&t, "$arg1=3,$arg2=5", 1, 50000);
	add(&t, "$arg1=3,$arg2=4", 1000, 100);
	add(&t, "$arg1=2,$arg2=5", 1000, 100);
	add(&t, "$arg1=2,$arg2=4", 1000, 100);
	make(&t);
	t.e.target = "f";
	out = open_memstream(&text, &len);
	explain_print(&t.e, &t.g, 1, out);
	fclose(out);
	CHECK(strstr(text, "\n$arg1=3, $arg2=5: 100 of 3,100 calls, 24 times slower, 44.2 % of the total; "
		     "at the median 1,900 ns, others 100 ns\n# times slower: on average, "));
	free(text);
	end(&t);
}

/* The value that costs most, then of those that cost the same the first ones. */
static void test_worst(void)
{
	struct table t = { 0 };
	const struct explain_worst *w;
	char context[32];
	int i;

	add(&t, "$arg1=1", 100000, 100);
	for (i = 2; i < 9; i++) {
		snprintf(context, sizeof(context), "$arg1=%d", i);
		add(&t, context, 100, i == 7 ? 1500 : 1000);
	}
	make(&t);
	w = &t.e.finding[0].worst;
	CHECK_INT(w->nr, EXPLAIN_SHOWN);
	for (i = 0; i < w->nr; i++) {
		snprintf(context, sizeof(context), "%d", i ? i + 1 : 7);
		CHECK_STR(t.g.key[0].name[w->value[i].value[0]], context);
	}
	end(&t);
}

/* A slow path rarer than a thousandth counts; a handful of long calls does not. */
static void test_rare(void)
{
	struct table t = { 0 };

	add(&t, "$arg1=1", 100000, 100);
	add(&t, "$arg1=2", 50, 100000);
	make(&t);
	CHECK(t.e.finding[0].explains > 0.9 && t.e.finding[0].outliers);
	end(&t);
	t = (struct table){ 0 };
	add(&t, "$arg1=1", 100000, 100);
	add(&t, "$arg1=2", 5, 100000);
	make(&t);
	CHECK(t.e.finding[0].explains < EXPLAIN_LEAST);
	end(&t);
}

/*
 * Calls by all pairs of two keys; those of one pair are 20 times slower, if @slow, and some of all
 * pairs were interrupted, for up to a thousand times as long.
 */
static void add_noisy(struct table *t, bool slow)
{
	char context[64];
	int a, b;

	for (a = 0; a < 8; a++) {
		for (b = 0; b < 25; b++) {
			snprintf(context, sizeof(context), "$arg1=%d,$arg2=%d", a, b);
			add(t, context, 99, slow && a == 3 && b == 5 ? 48000 : 2400);
			add(t, context, 1, (a + 7 * b) % 11 ? 500000 : 2500000);
		}
	}
}

/* In spite of the noise the slow pair is found; without it, nothing. */
static void test_noise(void)
{
	const struct explain_finding *f;
	struct table t = { 0 };

	add_noisy(&t, true);
	make(&t);
	f = &t.e.finding[0];
	CHECK(t.e.by_log);
	CHECK(f->key[1] >= 0 && f->explains > EXPLAIN_LEAST);
	CHECK_INT(f->worst.nr, 1);
	CHECK_INT(f->worst.value[0].calls, 100);
	CHECK_STR(f->group->key[0].name[f->worst.value[0].value[0]], "3");
	CHECK_STR(f->group->key[1].name[f->worst.value[0].value[1]], "5");
	CHECK(f->worst.value[0].ratio > 15 && f->worst.value[0].ratio < 25);
	end(&t);
	t = (struct table){ 0 };
	add_noisy(&t, false);
	make(&t);
	CHECK(!t.e.by_log && t.e.finding[0].explains < EXPLAIN_LEAST);
	end(&t);
}

/*
 * Half of all calls take 1.8 times as long as the others, by the CPU, which is more of the
 * logarithms' variance than the slow pair is. Who looks for slow calls wants the pair first.
 */
static void test_bulk(void)
{
	const struct explain_finding *f;
	struct table t = { 0 };
	char context[64];
	int a, b, cpu;

	for (a = 0; a < 8; a++) {
		for (b = 0; b < 25; b++) {
			for (cpu = 0; cpu < 2; cpu++) {
				snprintf(context, sizeof(context), "$arg1=%d,$arg2=%d,cpu=%d", a,
					 b, cpu);
				add(&t, context, 99,
				    a == 3 && b == 5 ? 48000 : cpu ? 4320 : 2400);
				add(&t, context, 1, (a + 7 * b) % 11 ? 500000 : 2500000);
			}
		}
	}
	make(&t);
	f = t.e.finding;
	CHECK(t.e.by_log);
	CHECK(f[0].key[0] == 0 && f[0].key[1] == 1);
	CHECK(f[1].key[0] == 2 && f[1].key[1] < 0);
	CHECK(f[1].explains > f[0].explains);
	end(&t);
}

/* A value with a single very long call is not told beside one whose calls are all slow. */
static void test_chance(void)
{
	const struct explain_worst *worst;
	struct table t = { 0 };
	char context[64];
	int i;

	for (i = 0; i < 16; i++) {
		snprintf(context, sizeof(context), "$arg1=%d", i);
		add(&t, context, i == 7 || i == 9 ? 99 : 100, i == 5 ? 48000 : 2400);
	}
	add(&t, "$arg1=7", 1, 8000000);
	add(&t, "$arg1=9", 1, 4000000);
	make(&t);
	worst = &t.e.finding[0].worst;
	CHECK_INT(worst->nr, 1);
	CHECK_STR(t.g.key[0].name[worst->value[0].value[0]], "5");
	end(&t);
}

static void test_contexts(void)
{
	struct table t = { 0 };

	add(&t, "comm=\"a,b=\\\"c\",log2($arg3)=[4,8),linear($arg1,3)=[0,3),+8($arg1):string=\"\"",
	    30, 100);
	add(&t, "comm=\"d\",log2($arg3)=[8,16),linear($arg1,3)=[3,6),+8($arg1):string=\"x\"",
	    30, 100);
	add(&t, "comm=\"e\",log2($arg3)=(-8,-4],linear($arg1,3)=[-3,0),+8($arg1):string=\"x\"",
	    30, 100);
	make(&t);
	CHECK_INT(t.g.nr_keys, 4);
	CHECK_STR(t.g.key[1].name[2], "(-8,-4]");
	CHECK_STR(t.g.key[0].name[0], "\"a,b=\\\"c\"");
	CHECK_STR(t.g.key[1].text, "log2($arg3)");
	CHECK_STR(t.g.key[1].name[1], "[8,16)");
	CHECK_STR(t.g.key[2].text, "linear($arg1,3)");
	CHECK_STR(t.g.key[3].text, "+8($arg1):string");
	end(&t);
}

static const struct unit_test tests[] = {
	{ "a key that explains all", test_all },
	{ "a key that explains half", test_half },
	{ "a pair where neither key explains", test_pair },
	{ "what two groups say is told once", test_told_once },
	{ "what is alike in part is told apart", test_told_apart },
	{ "many values explain by chance", test_many_values },
	{ "what is left out", test_left_out },
	{ "what is not explained", test_rest },
	{ "of which round a number is, and what has no row", test_rounds },
	{ "medians of a pair and of the others", test_medians },
	{ "of the worst values four are shown", test_worst },
	{ "rare slow calls, and a handful of them", test_rare },
	{ "a slow pair behind long interruptions", test_noise },
	{ "a slow pair beside a difference of the bulk", test_bulk },
	{ "a single long call is no finding", test_chance },
	{ "contexts are taken apart", test_contexts },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
