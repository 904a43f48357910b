// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_where.c - in which callee calls with the values found are slow, from callee to callee
 *
 * The model: 100,000 calls of f take 400 ns, but 1000 of them, with $arg1=4 and $arg2=7, 1400 ns.
 * They do because g, which f calls once, calls k a second time, for 1000 ns instead of 100. Some
 * calls were interrupted, wherever they were at that moment: half of them for 1500 ns, which is
 * about what slow calls take, and half of them were preempted, for a thousand times as long.
 */
#include <math.h>
#include <stdlib.h>

#include "latencies.h"

#define INTERRUPTED	1500	/* ns */
#define PREEMPTED	4000000

struct rounds {
	struct latencies l;
	struct explain_group g;
	struct explain_finding f;
};

/* So many calls as the module shows them in a row: usual ones, slow ones, interrupted ones. */
static void add(struct rounds *r, const char *target, const char *context, long calls, long ns,
		long slow, long slow_ns, long interrupted)
{
	struct buf *b = &r->l.buckets;
	long least = calls ? ns : slow_ns, preempted = interrupted / 2;
	long long total = calls * ns + slow * slow_ns + preempted * (long long)PREEMPTED;

	latencies_begin(&r->l);
	buf_printf(&r->l.latency, "%s\t%s\t%ld\t0\t%lld\t%lld\t%ld\t%ld\t%ld\t%ld\t%d\n", target,
		   context, calls + slow + interrupted, total, total, least, least, least, least,
		   PREEMPTED);
	if (calls)
		buf_printf(b, "%s\t%s\t%ld\t%ld\t%ld\n", target, context, ns, ns + 1, calls);
	if (slow)
		buf_printf(b, "%s\t%s\t%ld\t%ld\t%ld\n", target, context, slow_ns, slow_ns + 1,
			   slow);
	if (interrupted > preempted)
		buf_printf(b, "%s\t%s\t%ld\t%ld\t%ld\n", target, context, least + INTERRUPTED,
			   least + INTERRUPTED + 1, interrupted - preempted);
	if (preempted)
		buf_printf(b, "%s\t%s\t%d\t%d\t%ld\n", target, context, PREEMPTED, PREEMPTED + 1,
			   preempted);
}

/* The round of the keys, which has found $arg1=4, $arg2=7. */
static void found(struct rounds *keys)
{
	struct explain e = { 0 };
	char error[256] = "";
	size_t i;

	add(keys, "f", "$arg1=4,$arg2=7", 0, 0, 1000, 1400, 0);
	add(keys, "f", "$arg1=4,$arg2=8", 33000, 400, 0, 0, 0);
	add(keys, "f", "$arg1=5,$arg2=7", 33000, 400, 0, 0, 0);
	add(keys, "f", "$arg1=5,$arg2=8", 33000, 400, 0, 0, 0);
	latencies_parse(&keys->l);
	CHECK_INT(explain_group_make(&keys->g, &keys->l.t, "f", error), 0);
	explain_add(&e, &keys->g);
	explain_finish(&e);
	CHECK(e.nr > 0);
	for (i = 0; i < e.nr && e.finding[i].key[1] < 0; i++)
		;
	CHECK(i < e.nr && e.finding[i].worst.nr == 1);
	if (i < e.nr)
		keys->f = e.finding[i];
	explain_free(&e);
}

/* A round of the function by the keys that were found; so many of its calls were interrupted. */
static void begin(struct rounds *r, long interrupted)
{
	add(r, "f", "$arg1=4,$arg2=7", 0, 0, 1000, 1400, 1 + interrupted / 100);
	add(r, "f", "$arg1=4,$arg2=8", 33000, 400, 0, 0, interrupted / 3);
	add(r, "f", "$arg1=5,$arg2=7", 33000, 400, 0, 0, interrupted / 3);
	add(r, "f", "$arg1=5,$arg2=8", 33000, 400, 0, 0, interrupted / 3);
}

static void take(struct rounds *r, struct explain_chain *chain, const struct rounds *keys,
		 int round)
{
	latencies_parse(&r->l);
	explain_chain_add(chain, &r->l.t, "f", &keys->f, round);
	latencies_free(&r->l);
}

static void end(struct rounds *keys, struct explain_chain *chain)
{
	explain_chain_free(chain);
	explain_group_free(&keys->g);
	latencies_free(&keys->l);
}

static void check_printed(const struct explain_chain *chain, const struct rounds *keys,
			  const char *expected)
{
	struct explain_again again = { .options = " -a -d 5", .filters = " min=3ns", .net = true };
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	explain_print_chain(chain, &keys->f, "f", &again, out);
	fclose(out);
	CHECK_STR(text, expected);
	free(text);
}

/* 10 of 100 ns, 5 of 150, 2 of 260, which count as 200, and one of 1000, which is too long. */
static void test_times(void)
{
	struct explain_time time[] = { { 150, 5 }, { 1000, 1 }, { 100, 10 }, { 260, 2 } };
	struct explain_times t = { .time = time, .nr = 4, .calls = 18 };
	double calls;

	explain_times_sort(&t);
	CHECK(explain_times_below(&t, 0) == 1000);
	CHECK(explain_times_below(&t, 2) == 260);
	CHECK(explain_times_below(&t, 9) == 100);
	CHECK(explain_times_above(&t, 18, 100, 0, 100, &calls) == 5 * 50 + 2 * 100);
	CHECK(calls == 7);
	CHECK(explain_times_above(&t, 3, 100, 0, 100, &calls) == 50 + 2 * 100);
	CHECK(explain_times_above(&t, 18, 100, 60, 100, &calls) == 2 * 100);
	CHECK(calls == 2);
}

/* From f to g to k, called a second time; the interrupted calls are nobody's. */
static void test_chain(void)
{
	struct rounds keys = { 0 }, first = { 0 }, second = { 0 }, third = { 0 };
	struct explain_chain chain = { 0 };

	found(&keys);
	begin(&first, 300);
	add(&first, "g", "caller=f+0x10 [m]", 99000, 200, 1000, 1200, 150);
	add(&first, "h", "caller=f+0x20 [m]", 100000, 100, 0, 0, 75);
	take(&first, &chain, &keys, 4);
	CHECK_INT(chain.nr, 1);
	CHECK_INT(chain.end, EXPLAIN_GOES_ON);
	CHECK(fabs(chain.step[0].share - 1) < 0.01);
	begin(&second, 300);
	add(&second, "g", "caller=f+0x10 [m]", 99000, 200, 1000, 1200, 150);
	add(&second, "k", "caller=g+0x8 [m]", 100000, 100, 0, 0, 75);
	add(&second, "k", "caller=g+0x3c [m]", 0, 0, 1000, 1000, 1);
	take(&second, &chain, &keys, 5);
	CHECK_INT(chain.nr, 2);
	CHECK_INT(chain.end, EXPLAIN_GOES_ON);
	begin(&third, 300);
	add(&third, "k", "caller=g+0x8 [m]", 100000, 100, 0, 0, 75);
	add(&third, "k", "caller=g+0x3c [m]", 0, 0, 1000, 1000, 1);
	add(&third, "j", "caller=k+0x4 [m]", 101000, 20, 0, 0, 20);
	take(&third, &chain, &keys, 6);
	CHECK_INT(chain.nr, 2);
	check_printed(&chain, &keys, "#\nf, with $arg1=4, $arg2=7, is slow in g -> k, called at g+0x3c: "
		      "100 %\nof what these calls take longer than others\n"
		      "no function that k calls has half of that; how often each part of its code "
		      "ran:\nkprof blocks k -a -d 5\n");
	end(&keys, &chain);
}

/* Half of it is in either of two: neither is named as the one. Many are preempted, too. */
static void test_halves(void)
{
	struct rounds keys = { 0 }, round = { 0 };
	struct explain_chain chain = { 0 };

	found(&keys);
	begin(&round, 900);
	add(&round, "g", "caller=f+0x10", 99000, 100, 1000, 500, 225);
	add(&round, "h", "caller=f+0x20", 99000, 200, 1000, 500, 450);
	take(&round, &chain, &keys, 4);
	CHECK_INT(chain.nr, 0);
	check_printed(&chain, &keys, "#\nf, with $arg1=4, $arg2=7, is slow:\n"
		      "no function that f calls has half of that: g 40 %, h 30 %; how often each part "
		      "of its code ran:\nkprof blocks f -a -d 5\n");
	end(&keys, &chain);
}

/* More calls were interrupted than are slow: it is in g all the same, and h is not blamed. */
static void test_interrupted(void)
{
	struct rounds keys = { 0 }, round = { 0 };
	struct explain_chain chain = { 0 };

	found(&keys);
	begin(&round, 1600);
	add(&round, "h", "caller=f+0x20", 100000, 200, 0, 0, 800);
	add(&round, "g", "caller=f+0x10", 99000, 100, 1000, 1100, 400);
	take(&round, &chain, &keys, 4);
	CHECK_INT(chain.nr, 1);
	CHECK_STR(chain.nr ? chain.step[0].function : "", "g");
	CHECK(chain.nr && chain.step[0].share > 0.9);
	end(&keys, &chain);
}

/* It is f's own code that is slow; g is slow as often, but in calls with other values. */
static void test_others(void)
{
	struct rounds keys = { 0 }, round = { 0 };
	struct explain_chain chain = { 0 };

	found(&keys);
	add(&round, "f", "$arg1=4,$arg2=7", 0, 0, 1000, 1400, 0);
	add(&round, "f", "$arg1=5,$arg2=8", 98000, 400, 1000, 1400, 0);
	add(&round, "g", "caller=f+0x10", 99000, 100, 1000, 1100, 0);
	take(&round, &chain, &keys, 4);
	CHECK_INT(chain.nr, 0);
	CHECK_INT(chain.end, EXPLAIN_NOT_SURE);
	check_printed(&chain, &keys, "#\nf, with $arg1=4, $arg2=7, is slow:\n"
		      "that may be in g, but as many calls with other values took as long by chance, so "
		      "it is not sure;\nmeasure again, for longer (-d), or look there:\n"
		      "kprof explain g -a -d 5 --net\n");
	end(&keys, &chain);
}

/* Where the values do not come again, or are not slow, or others call it more, that is the end. */
static void test_ends(void)
{
	struct rounds keys = { 0 }, same = { 0 }, elsewhere = { 0 };
	struct explain_chain chain = { 0 };

	found(&keys);
	add(&same, "f", "$arg1=4,$arg2=7", 0, 0, 1000, 400, 0);
	add(&same, "f", "$arg1=5,$arg2=8", 99000, 400, 0, 0, 0);
	add(&same, "g", "caller=f+0x10", 99000, 100, 1000, 1100, 0);
	take(&same, &chain, &keys, 4);
	CHECK_INT(chain.end, EXPLAIN_NOT_AGAIN);
	check_printed(&chain, &keys, "#\nf, with $arg1=4, $arg2=7, is slow:\n"
		      "such calls took no longer than others in round 4, so that it could not be "
		      "followed further:\nkprof explain f min=3ns -a -d 5 --net\n");
	chain.nr = 1;
	chain.step[0].function = "g";
	begin(&elsewhere, 0);
	add(&elsewhere, "g", "caller=f+0x10", 99000, 100, 1000, 1100, 0);
	add(&elsewhere, "g", "caller=ff+0x10", 99000, 100, 1000, 1100, 0);
	add(&elsewhere, "k", "caller=g+0x10", 198000, 10, 2000, 1010, 0);
	take(&elsewhere, &chain, &keys, 5);
	CHECK_INT(chain.end, EXPLAIN_ELSEWHERE);
	end(&keys, &chain);
}

/* Of many callees of a slow call each has a part: the calls from one place count together. */
static void test_many_calls(void)
{
	struct rounds keys = { 0 }, round = { 0 };
	struct explain_chain chain = { 0 };

	found(&keys);
	begin(&round, 30);
	add(&round, "g", "caller=f+0x10", 396000, 50, 4000, 300, 15);
	take(&round, &chain, &keys, 4);
	CHECK_INT(chain.nr, 1);
	CHECK(chain.nr && fabs(chain.step[0].share - 1) < 0.05);
	end(&keys, &chain);
}

static const struct unit_test tests[] = {
	{ "from callee to callee", test_chain },
	{ "two callees with a half each", test_halves },
	{ "more calls interrupted than slow", test_interrupted },
	{ "by how much the longest calls take longer", test_times },
	{ "a callee that is slow in other calls", test_others },
	{ "where the chain ends", test_ends },
	{ "several slow calls in each", test_many_calls },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
