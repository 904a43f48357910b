// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_open.c - the table of open spans: what begins is found at its end, or counted otherwise,
 * wherever it is in its group, also if an interrupt or another CPU comes in between
 */
#include <pthread.h>

#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "unit.h"

/* What calls.h has. */
#define KPROF_CALLS_H
struct kprof_call {
	u64 start;
};

#include "points/open.c"

#define SOURCE	3
#define OTHER	4

#define THREADS	3
#define TURNS	20000

/* What each thread, which is a CPU, has seen. */
static __thread u64 begun, ended, full, overwritten, unwanted;
static __thread struct kprof_open_owner owner;

bool kprof_is_available(size_t bytes)
{
	return bytes;
}

/* An interrupt counts, too. */
static void count(u64 *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void start_cpu(void)
{
	begun = 0;
	ended = 0;
	full = 0;
	overwritten = 0;
	unwanted = 0;
	owner = kprof_open_owner_of(SOURCE);
	owner.overwritten = &overwritten;
}

static void start(u32 capacity)
{
	start_cpu();
	CHECK_INT(kprof_open_init(capacity), 0);
}

static void begin_as(u64 key, bool is_unwanted)
{
	struct kprof_held held;

	if (!kprof_open_claim(&owner, key, &held)) {
		count(&full);
		return;
	}
	if (!is_unwanted)
		count(&begun);
	held.slot->open->call.start = key;
	held.slot->open->is_unwanted = is_unwanted;
	kprof_open_publish(held, is_unwanted);
}

static void begin(u64 key)
{
	begin_as(key, false);
}

/* Return: whether there was one. */
static bool end(u64 key)
{
	struct kprof_held held;

	if (!kprof_open_take(kprof_open_group(&owner, key), &owner, key, &held) &&
	    !kprof_open_hold(&held, kprof_open_take_any(&owner, key)))
		return false;
	CHECK_INT(held.slot->open->call.start, key);
	if (held.slot->open->is_unwanted)
		count(&unwanted);
	else
		count(&ended);
	kprof_open_release(held);
	return true;
}

/* Nothing is open or held any more, and groups are as if nothing ever was. */
static void check_empty(void)
{
	u32 i;

	CHECK_INT(kprof_open_count(SOURCE), 0);
	for (i = 0; i < kprof_open_capacity(); i++)
		CHECK_INT(slot_at(i)->state & KPROF_SLOT_WHOSE, 0);
	for (i = 0; i < kprof_open_table.nr_groups; i++)
		CHECK_INT(atomic_read(&kprof_open_table.groups[i].strays), 0);
}

/* End whatever is open still, and see that all adds up. */
static void finish(u64 keys)
{
	u64 key;

	for (key = 1; key <= keys; key++)
		while (end(key))
			;
	check_empty();
	CHECK_INT(begun, ended + overwritten);
	kprof_open_exit();
}

/* All slots of the only group, in any order, and those that find no room. */
static void test_group(void)
{
	u64 key;

	start(KPROF_OPEN_WAYS);
	CHECK_INT(kprof_open_capacity(), KPROF_OPEN_WAYS);
	for (key = 1; key <= KPROF_OPEN_WAYS + 2; key++)
		begin(key);
	CHECK_INT(full, 2);
	CHECK_INT(kprof_open_count(SOURCE), KPROF_OPEN_WAYS);
	CHECK(!end(KPROF_OPEN_WAYS + 1));
	CHECK(end(5) && end(1) && end(8));
	CHECK(!end(5) && !end(1) && !end(8));
	begin(9);
	CHECK(end(9) && end(2));
	CHECK_INT(ended, 5);
	finish(KPROF_OPEN_WAYS + 2);
	CHECK_INT(overwritten, 0);
}

/* An earlier span with the same key is discarded, though the first slot is free by now. */
static void test_stray_is_overwritten(void)
{
	start(KPROF_OPEN_WAYS);
	begin(1);
	begin(2);
	CHECK(end(1));
	begin(2);
	CHECK_INT(overwritten, 1);
	CHECK_INT(kprof_open_count(SOURCE), 1);
	CHECK(end(2) && !end(2));
	finish(2);
}

static void test_overwritten(void)
{
	start(KPROF_OPEN_WAYS);
	begin(1);
	begin(1);
	begin(1);
	CHECK_INT(overwritten, 2);
	CHECK(end(1) && !end(1));
	finish(1);
}

/* What a filter left out is known at its end, and is counted nowhere. */
static void test_unwanted(void)
{
	start(KPROF_OPEN_WAYS);
	begin_as(1, true);
	CHECK_INT(kprof_open_count(SOURCE), 0);
	CHECK(end(1));
	CHECK_INT(unwanted, 1);
	begin_as(1, true);
	begin(1);
	CHECK_INT(overwritten, 0);
	begin_as(2, true);
	begin(2);
	CHECK(end(2) && end(1));
	finish(2);
	CHECK_INT(ended, 2);
}

/* Equal keys of two sources have nothing to do with each other. */
static void test_sources(void)
{
	const struct kprof_open_owner other = kprof_open_owner_of(OTHER);

	start(KPROF_OPEN_WAYS);
	begin(1);
	CHECK(!kprof_open_take_any(&other, 1));
	CHECK(kprof_open_peek(SOURCE, 1) && !kprof_open_peek(OTHER, 1));
	CHECK_INT(kprof_open_forget(OTHER), 0);
	CHECK(end(1));
	finish(1);
}

static void test_forget(void)
{
	u64 key;

	start(2 * KPROF_OPEN_WAYS);
	for (key = 1; key <= 6; key++)
		begin_as(key, key > 4);
	CHECK_INT(kprof_open_forget(SOURCE), 4);
	check_empty();
	begun = 0;
	begin(1);
	finish(6);
}

static void start_scene(void)
{
	start(KPROF_OPEN_WAYS);
	begin(1);
}

static void in_turn(void)
{
	begin(2);
	begin(3);
	end(1);
	begin(2);
	end(2);
	end(3);
}

static void the_same(void)
{
	end(2);
	begin(2);
	begin(3);
}

static void another(void)
{
	begin(4);
	begin(3);
	end(4);
}

/* Where a span was, there is another one now, whose key has not been read. */
static void in_its_place(void)
{
	end(1);
	begin(4);
}

static void end_scene(void)
{
	CHECK_INT(full, 0);
	CHECK_INT(begun, ended + overwritten + kprof_open_count(SOURCE));
	finish(4);
}

static const struct scene scenes[] = {
	{ start_scene, in_turn, the_same, NULL, end_scene },
	{ start_scene, in_turn, another, NULL, end_scene },
	{ start_scene, in_turn, in_its_place, NULL, end_scene },
	{ start_scene, in_turn, the_same, another, end_scene },
};

static void test_interrupts(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		CHECK(interrupt_everywhere(&scenes[i]) > 40);
}

static void test_every_instruction(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		if (!scenes[i].nested)
			CHECK(interrupt_every_instruction(&scenes[i]) > 40);
}

/* Another CPU, whose spans are in the same group, in whatever slots are free there. */
static void *work(void *number)
{
	const u64 key = 2 * (uintptr_t)number + 1;
	u32 i;

	start_cpu();
	for (i = 0; i < TURNS; i++) {
		begin(key);
		begin(key + 1);
		CHECK(end(key));
		begin(key + 1);
		CHECK(end(key + 1) && !end(key + 1));
	}
	CHECK_INT(full, 0);
	CHECK_INT(overwritten, TURNS);
	CHECK_INT(begun, ended + overwritten);
	return NULL;
}

static void test_threads(void)
{
	pthread_t thread[THREADS];
	uintptr_t i;

	start(KPROF_OPEN_WAYS);
	for (i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&thread[i], NULL, work, (void *)i));
	for (i = 0; i < THREADS; i++)
		CHECK(!pthread_join(thread[i], NULL));
	finish(1);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a group has as many as it has slots", test_group },
		{ "a span is discarded by the next with its key", test_overwritten },
		{ "so is one that is not in the first slot", test_stray_is_overwritten },
		{ "what is left out is known, and not counted", test_unwanted },
		{ "equal keys of two sources", test_sources },
		{ "all are forgotten", test_forget },
		{ "interrupts at any moment: all that began is accounted for", test_interrupts },
		{ "in front of every instruction, too", test_every_instruction },
		{ "other CPUs take and release slots of the same group", test_threads },
		{ }
	};

	return unit_run(tests);
}
