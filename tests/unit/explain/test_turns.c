// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_turns.c - what determines the turns of a loop: formulas that are known to be right
 */
#include <stdlib.h>
#include <string.h>

#include "explain/turns.h"
#include "latencies.h"

struct loop {
	struct latencies l;
	struct turns_table table;
	struct turns_found found;
};

/* So many calls that turn so often. */
static void add(struct loop *t, uint64_t turns, uint64_t calls, const char *keys)
{
	latencies_begin(&t->l);
	buf_printf(&t->l.latency, "f\tturns=%" PRIu64 "%s\t%" PRIu64
		   "\t0\t10\t10\t1\t1\t1\t1\t1\n", turns, keys, calls);
	buf_printf(&t->l.buckets, "f\tturns=%" PRIu64 "%s\t1\t2\t%" PRIu64 "\n", turns, keys,
		   calls);
}

static void add_1(struct loop *t, uint64_t turns, uint64_t calls, int64_t a)
{
	char keys[64];

	snprintf(keys, sizeof(keys), ",a=%" PRId64, a);
	add(t, turns, calls, keys);
}

static void add_2(struct loop *t, uint64_t turns, uint64_t calls, int64_t a, int64_t b)
{
	char keys[64];

	snprintf(keys, sizeof(keys), ",a=%" PRId64 ",b=%" PRId64, a, b);
	add(t, turns, calls, keys);
}

static void find(struct loop *t)
{
	char error[256] = "";

	latencies_parse(&t->l);
	CHECK_INT(turns_table_make(&t->table, &t->l.t, "f", error), 0);
	CHECK_STR(error, "");
	turns_add(&t->found, &t->table);
}

static void end(struct loop *t)
{
	turns_table_free(&t->table);
	turns_found_free(&t->found);
	latencies_free(&t->l);
}

/* What is said of it. */
static void check_text(struct loop *t, const char *expected)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	turns_print(&t->found, out);
	fclose(out);
	CHECK_STR(text, expected);
	free(text);
}

/* The formula that is found for f(a), of 40 values, is this. */
static void check_formula(uint64_t (*turns)(uint64_t a), uint64_t (*a)(uint64_t i),
			  const char *expected)
{
	struct loop t = { .found = { .nr = 0 } };
	uint64_t i;

	for (i = 1; i <= 40; i++)
		add_1(&t, turns(a(i)), i, a(i));
	find(&t);
	CHECK_INT(t.found.nr, 1);
	CHECK(turns_is_known(&t.found));
	CHECK_STR(t.found.nr ? t.found.best[0].text : NULL, expected);
	end(&t);
}

static uint64_t small(uint64_t i) { return i * i % 37; }
static uint64_t order(uint64_t i) { return (i % 3) << 16 | (i * 17 % 300); }
static uint64_t size(uint64_t i) { return i * i * 777; }
static uint64_t field(uint64_t i) { return (i * 31 % 7) << 32 | (i * 23 % 200) << 24 | i; }
static uint64_t mixed(uint64_t i) { return (i * 0x9e3779b97f4a7c15) >> 12; }

static uint64_t same(uint64_t a) { return a; }
static uint64_t one_less(uint64_t a) { return a ? a - 1 : 0; }
static uint64_t low_half(uint64_t a) { return (a & 0xffff) ? (a & 0xffff) - 1 : 0; }
static uint64_t pages(uint64_t a) { return a >> 12; }
static uint64_t pages_up(uint64_t a) { return (a + 4095) >> 12; }
static uint64_t by_24(uint64_t a) { return a / 24; }
static uint64_t by_100_up(uint64_t a) { return (a + 99) / 100 + 1; }
static uint64_t threefold(uint64_t a) { return 3 * a; }
static uint64_t at_most_11(uint64_t a) { return a < 11 ? a : 11; }
static uint64_t highest(uint64_t a) { return a ? 64 - __builtin_clzll(a) : 0; }
static uint64_t number_set(uint64_t a) { return __builtin_popcountll(a); }
static uint64_t byte_3(uint64_t a) { return a >> 24 & 0xff; }

static void test_one(void)
{
	check_formula(same, small, "a");
	check_formula(one_less, small, "a - 1");
	check_formula(low_half, order, "(a & 0xffff) - 1");
	check_formula(pages, size, "a >> 12");
	check_formula(pages_up, size, "DIV_ROUND_UP(a, 4096)");
	check_formula(by_24, size, "a / 24");
	check_formula(by_100_up, size, "DIV_ROUND_UP(a, 100) + 1");
	check_formula(threefold, small, "a * 3");
	check_formula(at_most_11, small, "min(a, 11)");
	check_formula(highest, mixed, "fls64(a)");
	check_formula(number_set, mixed, "hweight64(a)");
	check_formula(byte_3, field, "(a >> 24) & 0xff");
}

/* From an address to another one, in steps of 64. */
static void test_pair(void)
{
	struct loop t = { .found = { .nr = 0 } };
	uint64_t i;

	for (i = 1; i < 50; i++)
		add_2(&t, i * i % 19, 1, mixed(i), mixed(i) + i * i % 19 * 64);
	find(&t);
	check_text(&t, "  0 to 17 turns, 8.0 on average of 49 calls\n"
		   "  turns = (b - a) >> 6, 100 % of 49 calls\n");
	end(&t);
}

static void test_pairs(void)
{
	struct loop product = { .found = { .nr = 0 } }, less = { .found = { .nr = 0 } };
	uint64_t i;

	for (i = 1; i < 50; i++) {
		add_2(&product, i % 7 * (i % 5), 1, i % 7, i % 5);
		add_2(&less, i * 3 % 17 < i * 5 % 13 ? i * 3 % 17 : i * 5 % 13, 1, i * 3 % 17,
		      i * 5 % 13);
	}
	find(&product);
	CHECK_STR(product.found.best[0].text, "a * b");
	find(&less);
	CHECK_STR(less.found.best[0].text, "min(a, b)");
	end(&product);
	end(&less);
}

/* A loop that is left early now and then; no formula is right for half of these calls. */
static void test_early(void)
{
	struct loop t = { .found = { .nr = 0 } };
	uint64_t i;

	for (i = 1; i <= 20; i++) {
		add_1(&t, i, 90, i);
		add_1(&t, i * 7 % 20 + 30, 10, i);
	}
	find(&t);
	check_text(&t, "  1 to 49 turns, 13.4 on average of 2000 calls\n"
		   "  turns = a, 90 % of 2000 calls\n");
	CHECK(!turns_is_known(&t.found));
	end(&t);
}

/* Each object has its own number, which no formula gives. */
static void test_decider(void)
{
	static const int turns[] = { 31, 4, 15, 92, 65, 35 };
	struct loop t = { .found = { .nr = 0 } };
	uint64_t i;

	for (i = 0; i < 6; i++)
		add_2(&t, turns[i], 100, 0xffff888000000000 + mixed(i) % 0x1000000, i & 1);
	add_2(&t, 1, 1, 0xffff888000000000 + mixed(1) % 0x1000000, 0);
	find(&t);
	check_text(&t, "  1 to 92 turns, 40.3 on average of 601 calls\n"
		   "  turns depend on a: each of its 6 values has one number of them, 99.8 % of 601 calls\n");
	end(&t);
}

static void test_unknown(void)
{
	struct loop t = { .found = { .nr = 0 } };
	uint64_t i;

	for (i = 0; i < 200; i++)
		add_2(&t, mixed(i * i + 1) % 9, 1 + i % 3, i % 13, mixed(i) % 5);
	find(&t);
	CHECK_INT(t.found.nr, 0);
	CHECK(!t.found.decider.key);
	CHECK(!turns_is_known(&t.found));
	end(&t);
}

static void test_constant(void)
{
	struct loop t = { .found = { .nr = 0 } };

	add_1(&t, 13, 5, 1);
	add_1(&t, 13, 6, 13);
	find(&t);
	CHECK(turns_is_known(&t.found));
	check_text(&t, "  13 turns in each of 11 calls\n");
	end(&t);
}

/* Two numbers of turns: a formula is right, and may be so by chance. A table that was full. */
static void test_few(void)
{
	struct loop t = { .found = { .nr = 0 } };

	add_1(&t, 19, 30, 20);
	add_1(&t, 31, 7, 32);
	latencies_begin(&t.l);
	buf_printf(&t.l.latency, "f\t[row table full]\t9\t0\t10\t10\t1\t1\t1\t1\t1\n");
	find(&t);
	check_text(&t, "  19 to 31 turns, 21.3 on average of 37 calls\n"
		   "  turns = a - 1, 100 % of 37 calls\n"
		   "  that may be by chance: there are only 2 different numbers of turns\n"
		   "  not in it: 9 calls of a round that found the table of rows full\n");
	end(&t);
}

/* Texts are no numbers, and decide; no calls; what is no table of turns. */
static void test_others(void)
{
	struct loop text = { .found = { .nr = 0 } }, none = { .found = { .nr = 0 } };
	struct turns_table wrong;
	char error[256] = "";

	add(&text, 3, 50, ",comm=sh");
	add(&text, 8, 60, ",comm=7");
	find(&text);
	check_text(&text, "  3 to 8 turns, 5.7 on average of 110 calls\n  turns depend on comm: each of "
		   "its 2 values has one number of them, 100 % of 110 calls\n");
	CHECK_INT(turns_table_make(&wrong, &text.l.t, "g", error), 0);
	turns_add(&none.found, &wrong);
	check_text(&none, "  not measured: the function was not called, or no call had a row\n");
	turns_table_free(&wrong);
	end(&text);
	add(&none, 3, 50, "");
	buf_printf(&none.l.latency, "f\tcomm=sh\t5\t0\t10\t10\t1\t1\t1\t1\t1\n");
	latencies_parse(&none.l);
	CHECK_INT(turns_table_make(&none.table, &none.l.t, "f", error), -1);
	CHECK_STR(error, "'comm=sh' of f is no list of keys with turns first");
	end(&none);
}

static const struct unit_test tests[] = {
	{ "a formula of one key", test_one },
	{ "the difference of two", test_pair },
	{ "their product, the lesser one", test_pairs },
	{ "a loop that is left early now and then", test_early },
	{ "a key that decides, without a formula", test_decider },
	{ "nothing tells the turns", test_unknown },
	{ "always the same", test_constant },
	{ "few numbers of turns, and calls without a row", test_few },
	{ "texts, no calls, no turns", test_others },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
