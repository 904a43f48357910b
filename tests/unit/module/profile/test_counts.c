// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_counts.c - counts of keys add up to the last one: with collisions,
 * in a full table, under interrupts, and while another CPU reads
 */
#include <pthread.h>

#include "unit.h"
#include "profile/counts.c"
#include "uapi/kprof.h"

#define TIMER_INTERRUPTS	1000
#define MAX_KEYS		256

static struct kprof_counts counts;

/* What the table should hold. */
static struct {
	u64 key;
	u64 n;
	u64 weight;
} expected[MAX_KEYS];
static u32 nr_expected;

static void start(u32 rows)
{
	CHECK_INT(kprof_counts_init(&counts, rows, 0), 0);
	nr_expected = 0;
}

static void expect(u64 key, u64 n, u64 weight)
{
	u32 i;

	for (i = 0; i < nr_expected && expected[i].key != key; i++)
		;
	if (i == nr_expected) {
		nr_expected++;
		expected[i].key = key;
		expected[i].n = 0;
		expected[i].weight = 0;
	}
	expected[i].n += n;
	expected[i].weight += weight;
}

/* Add, and expect it to be there where the table has taken it. */
static bool add(u64 key, u64 n, u64 weight)
{
	bool taken = kprof_counts_add(&counts, key, n, weight);

	if (taken)
		expect(key, n, weight);
	return taken;
}

/* Each key expected has one row with just what was added; there is no other. */
static void check_rows(void)
{
	u32 i, at, rows = 0;

	for (at = 0; at <= counts.mask; at++) {
		const struct kprof_count *row = &counts.row[at];

		if (!row->key)
			continue;
		rows++;
		for (i = 0; i < nr_expected && expected[i].key != row->key; i++)
			;
		CHECK(i < nr_expected);
		if (i == nr_expected)
			continue;
		CHECK_INT(local64_read(&row->n), expected[i].n);
		CHECK_INT(local64_read(&row->weight), expected[i].weight);
	}
	CHECK_INT(rows, nr_expected);
}

static void end(void)
{
	check_rows();
	kprof_counts_free(&counts);
}

/*
 * Keys that want the same row of a table of @rows: those that end up in the row
 * a single key of an empty table does.
 */
static void find_colliding(u32 rows, u64 *key, u32 nr)
{
	u32 i = 0, at, wanted = 0;
	u64 candidate;

	start(rows);
	for (candidate = 1ULL << 54; i < nr; candidate++) {
		kprof_counts_clear(&counts);
		kprof_counts_add(&counts, candidate, 1, 1);
		for (at = 0; !counts.row[at].key; at++)
			;
		if (!i)
			wanted = at;
		if (at == wanted)
			key[i++] = candidate;
	}
	kprof_counts_clear(&counts);
	end();
}

static void test_add(void)
{
	start(16);
	CHECK(add(7, 1, 1000));
	CHECK(add(8, 2, 0));
	CHECK(add(7, 10, 1ULL << 40));
	CHECK(add(U64_MAX, 1ULL << 40, 1));
	end();
}

static void test_full(void)
{
	u64 key;
	u32 refused = 0;

	start(16);
	CHECK_INT(kprof_counts_size(16), 32 * sizeof(struct kprof_count));
	for (key = 1; key <= 100; key++)
		refused += !add(key, 1, key);
	CHECK_INT(nr_expected, 32);
	CHECK_INT(refused, 68);
	check_rows();
	for (key = 1; key <= 100; key++)
		refused += !add(key, 3, 1);
	CHECK_INT(refused, 2 * 68);
	end();
}

/* Many keys for one row: it gives up in the end, and others are not harmed. */
static void test_collisions(void)
{
	static u64 key[100];
	u32 i, refused = 0;

	find_colliding(128, key, 100);
	start(128);
	for (i = 0; i < 100; i++)
		refused += !add(key[i], i + 1, 1);
	CHECK_INT(nr_expected, MAX_PROBES);
	CHECK_INT(refused, 100 - MAX_PROBES);
	for (i = 0; i < MAX_PROBES; i++)
		CHECK(add(key[i], 1, 1));
	end();
}

/* As many keys as it was made for find room, and in a small one all that want one row. */
static void test_room(void)
{
	static u64 key[32];
	u32 rows, i;

	for (rows = 16; rows <= 8192; rows *= 2) {
		CHECK_INT(kprof_counts_init(&counts, rows, 0), 0);
		for (i = 0; i < rows; i++)
			CHECK(kprof_counts_add(&counts, 1ULL << KPROF_SOURCE_SHIFT |
					       (2ULL + i % 5) << KPROF_TASK_SHIFT | (2 + i),
					       1, 1));
		kprof_counts_free(&counts);
	}
	find_colliding(16, key, 32);
	start(16);
	for (i = 0; i < 32; i++)
		CHECK(add(key[i], 1, 1));
	end();
}

static void test_clear(void)
{
	start(4);
	while (add(nr_expected + 1, 1, 1))
		;
	kprof_counts_clear(&counts);
	nr_expected = 0;
	check_rows();
	CHECK(add(99, 2, 3));
	end();
}

static void test_no_memory(void)
{
	shim_vmallocs_left = 0;
	CHECK_INT(kprof_counts_init(&counts, 16, 0), -ENOMEM);
	shim_vmallocs_left = -1;
	kprof_counts_free(&counts);
}

static u64 rival[4];

static void clear(void)
{
	kprof_counts_clear(&counts);
	nr_expected = 0;
}

static void add_first(void)
{
	CHECK(add(rival[0], 1, 100));
}

static void add_same(void)
{
	CHECK(add(rival[0], 2, 200));
}

static void add_other(void)
{
	CHECK(add(rival[1], 4, 400));
}

static void add_same_and_another(void)
{
	CHECK(add(rival[0], 8, 800));
	CHECK(add(rival[1], 16, 1600));
	CHECK(add(rival[2], 32, 3200));
}

/* Whoever interrupts wants the same key, or the same row for another. */
static void test_nested(void)
{
	struct scene play = {
		.before = clear,
		.code = add_first,
		.handler = add_same,
		.nested = add_same_and_another,
		.after = check_rows,
	};

	find_colliding(16, rival, 4);
	start(16);
	CHECK_INT(interrupt_everywhere(&play), 4);
	play.handler = add_other;
	CHECK_INT(interrupt_everywhere(&play), 4);
	end();
}

/* As add_first(), expected before: that is not what is interrupted. */
static void expect_first(void)
{
	clear();
	expect(rival[0], 1, 100);
}

static void add_first_alone(void)
{
	CHECK(kprof_counts_add(&counts, rival[0], 1, 100));
}

static void test_every_instruction(void)
{
	static const struct scene scenes[] = {
		{ expect_first, add_first_alone, add_same, NULL, check_rows },
		{ expect_first, add_first_alone, add_other, NULL, check_rows },
	};
	u32 i;

	find_colliding(16, rival, 4);
	start(16);
	for (i = 0; i < 2; i++)
		CHECK(interrupt_every_instruction(&scenes[i]) > (INTERRUPT_CAN_STEP ? 20 : 3));
	end();
}

static u64 handler_taken, handler_refused;

static void on_timer(void)
{
	if (kprof_counts_add(&counts, 1 + interrupts() % 200, 1, 3))
		handler_taken++;
	else
		handler_refused++;
}

static void table_sums(u64 *n, u64 *weight)
{
	u32 i;

	*n = 0;
	*weight = 0;
	for (i = 0; i <= counts.mask; i++) {
		*n += local64_read(&counts.row[i].n);
		*weight += local64_read(&counts.row[i].weight);
	}
}

/* 200 keys, 128 rows: some are refused. */
static void test_timer(void)
{
	u64 taken = 0, refused = 0, added = 0, n, weight, i, rows;

	start(64);
	interrupt_timer_start(on_timer);
	for (i = 0; interrupts() < TIMER_INTERRUPTS; i++, added++) {
		if (kprof_counts_add(&counts, 1 + i % 200, 1, 3))
			taken++;
		else
			refused++;
	}
	interrupt_timer_stop();
	table_sums(&n, &weight);
	CHECK_INT(n, taken + handler_taken);
	CHECK_INT(weight, 3 * n);
	CHECK_INT(n + refused + handler_refused, added + interrupts());
	for (i = 1; i <= 200; i++) {
		for (rows = n = 0; n <= counts.mask; n++)
			rows += counts.row[n].key == i;
		CHECK(rows <= 1);
	}
	kprof_counts_free(&counts);
}

static int stop;

/* Another CPU reads: what it sees never falls. */
static void *read_sums(void *unused)
{
	u64 n, weight, before = 0;

	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		table_sums(&n, &weight);
		CHECK(n >= before);
		before = n;
	}
	return NULL;
}

static void test_reader(void)
{
	pthread_t reader;
	u64 n, weight, i;

	start(64);
	stop = 0;
	CHECK(!interrupt_free_thread(&reader, read_sums, NULL));
	for (i = 0; i < 500000; i++)
		kprof_counts_add(&counts, 1 + i % 50, 1, 2);
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	table_sums(&n, &weight);
	CHECK_INT(n, 500000);
	CHECK_INT(weight, 1000000);
	kprof_counts_free(&counts);
}

/* A table that never had memory. */
static void test_nothing(void)
{
	kprof_counts_init_none(&counts);
	CHECK(!kprof_counts_add(&counts, 1, 1, 1));
	CHECK(!kprof_counts_add(&counts, 7, 1, 1));
	kprof_counts_free(&counts);
}

static const struct unit_test tests[] = {
	{ "additions to the same key add up", test_add },
	{ "a full table refuses, and counts on what it has", test_full },
	{ "keys that want the same row", test_collisions },
	{ "room for what it was made for", test_room },
	{ "without memory, there is no room", test_nothing },
	{ "clear empties", test_clear },
	{ "no memory", test_no_memory },
	{ "interrupts two deep, at every point", test_nested },
	{ "interrupts in front of every instruction", test_every_instruction },
	{ "interrupted by a timer", test_timer },
	{ "read by another CPU", test_reader },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
