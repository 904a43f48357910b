// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_recent.c - the cache of recent rows: a call that interrupts another one, in front of any
 * instruction, finds the row of its own values, or none, and neither gets the other's
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "unit.h"

/* What these headers have, as far as recent.h needs it. */
#define KPROF_PROFILE_H
#define KPROF_TARGET_H
#define KPROF_RECENT_ROWS_LOG2	4
#define this_cpu_ptr(memory)	(memory)

struct kprof_latency {
	const u64 *value;
	u64 calls;
};

struct kprof_target {
	struct {
		u32 nr_keys;
	} keys;
	struct {
		struct kprof_latency *recent[1 << KPROF_RECENT_ROWS_LOG2];
	} *cpu;
};

#include "calls/recent.h"

#define ROWS	3

static __typeof__(*((struct kprof_target *)0)->cpu) memory;
static struct kprof_target target;
static struct kprof_latency rows[ROWS];
static u64 contexts[ROWS][2];	/* what the table of contexts keeps */
static u64 calls[ROWS];

/* Values whose rows share a slot. */
static void find_values(u32 nr)
{
	u64 value[2] = { 0, 7 };
	u32 n;

	memory = (__typeof__(memory)) { };
	target = (struct kprof_target) { .keys.nr_keys = nr, .cpu = &memory };
	for (n = 0; n < ROWS; value[0]++) {
		if (n && kprof_recent_slot(&target, value, nr) !=
			 kprof_recent_slot(&target, contexts[0], nr))
			continue;
		memcpy(contexts[n++], value, sizeof(value));
	}
	memset(rows, 0, sizeof(rows));
	memset(calls, 0, sizeof(calls));
}

static void start_one(void)
{
	find_values(1);
}

static void start_two(void)
{
	find_values(2);
}

/* A call is counted in its row, as in find_row(). */
static void call(u32 n)
{
	u64 value[2] = { contexts[n][0], contexts[n][1] };
	struct kprof_latency *row = kprof_recent_row(&target, value);

	if (!row) {
		row = &rows[n];
		kprof_recent_keep(&target, row, contexts[n]);
	}
	CHECK(row == &rows[n]);
	__atomic_fetch_add(&row->calls, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&calls[n], 1, __ATOMIC_RELAXED);
}

static void call_in_turn(void)
{
	call(0);
	call(0);
	call(1);
}

static void call_another(void)
{
	call(1);
	call(2);
}

static void call_the_same(void)
{
	call(2);
	call(0);
}

static void check_rows(void)
{
	u32 n;

	for (n = 0; n < ROWS; n++)
		CHECK_INT(rows[n].calls, calls[n]);
}

static void test_alone(void)
{
	start_two();
	CHECK(!kprof_recent_row(&target, contexts[0]));
	call_in_turn();
	CHECK(kprof_recent_row(&target, contexts[1]) == &rows[1]);
	check_rows();
}

static const struct scene scenes[] = {
	{ start_one, call_in_turn, call_another, NULL, check_rows },
	{ start_two, call_in_turn, call_another, NULL, check_rows },
	{ start_two, call_in_turn, call_the_same, NULL, check_rows },
};

static void test_interrupts(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		CHECK(interrupt_everywhere(&scenes[i]) > 5);
}

static void test_every_instruction(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		CHECK(interrupt_every_instruction(&scenes[i]) > (INTERRUPT_CAN_STEP ? 50 : 5));
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a row is found by its values", test_alone },
		{ "other calls at every point", test_interrupts },
		{ "other calls in front of every instruction", test_every_instruction },
		{ }
	};

	return unit_run(tests);
}
