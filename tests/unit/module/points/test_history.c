// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_history.c - for how long a group was throttled during a wait, as far back as waits go
 */
#include <linux/kernel.h>
#include <linux/types.h>

#include "unit.h"

/* What clock.h has: here a tick is a nanosecond. */
#define KPROF_CLOCK_H
static u64 kprof_clock_ns(u64 from, u64 to)
{
	return to > from ? to - from : 0;
}

#include "points/history.c"

#define PATH	7

static struct kprof_history history;
static int queue[2 * KPROF_GROUPS];

/* Throttled from @at on for so long. */
static void throttle(u64 at, u64 ns)
{
	kprof_history_begin(&history, &queue[0], PATH, at);
	kprof_history_end(&history, &queue[0], at + ns);
}

static struct kprof_throttled waited(u64 from, u64 to)
{
	const struct kprof_group *group = kprof_history_find(&history, &queue[0]);
	struct kprof_throttled found = { 0 };

	if (group)
		kprof_history_add_up(group, to, to - from, false, &found);
	return found;
}

static void start(void)
{
	history = (struct kprof_history) { 0 };
}

static void test_one(void)
{
	start();
	CHECK_INT(waited(0, 1000).ns, 0);
	throttle(100, 80);
	CHECK_INT(waited(100, 200).ns, 80);
	CHECK_INT(waited(100, 200).ago, 20);
	CHECK_INT(waited(100, 200).path, PATH);
	CHECK_INT(waited(50, 200).ns, 80);
	CHECK_INT(waited(150, 200).ns, 30);
	CHECK_INT(waited(180, 200).ns, 0);
	CHECK_INT(waited(190, 200).ns, 0);
}

static void test_several(void)
{
	start();
	throttle(100, 80);
	throttle(200, 70);
	throttle(300, 60);
	CHECK_INT(waited(90, 400).ns, 210);
	CHECK_INT(waited(90, 400).ago, 40);
	CHECK_INT(waited(150, 400).ns, 160);
	CHECK_INT(waited(320, 400).ns, 40);
}

/* The sum stays exact for what is whole; what began meanwhile has at most what fits. */
static void test_many(void)
{
	u64 nr = 1000, i;

	start();
	for (i = 0; i < nr; i++)
		throttle(1000 + 100 * i, 80);
	CHECK_INT(waited(1000, 1000 + 100 * nr).ns, 80 * nr);
	CHECK_INT(waited(0, 5000 + 100 * nr).ns, 80 * nr);
	for (i = 1; i <= KPROF_PERIODS / 2; i++)
		CHECK_INT(waited(1000 + 100 * (nr - i), 1000 + 100 * nr).ns, 80 * i);
	for (i = KPROF_PERIODS; i < nr; i++)
		CHECK(waited(1000 + 100 * (nr - i), 1000 + 100 * nr).ns <= 100 * i);
}

static void test_goes_on(void)
{
	struct kprof_throttled found;

	start();
	throttle(100, 80);
	kprof_history_begin(&history, &queue[0], PATH, 300);
	/* The task runs, so the end was missed. */
	CHECK_INT(waited(90, 400).ns, 80);
	CHECK_INT(waited(90, 400).ago, 220);
	/* It waited elsewhere, where that still goes on. */
	CHECK(kprof_history_read(&history, &queue[0], 400, 310, &found));
	CHECK_INT(found.ns, 180);
	CHECK_INT(found.ago, 0);
	/* The next one replaces the one whose end was missed. */
	throttle(500, 80);
	CHECK_INT(waited(90, 600).ns, 160);
	/* An end without a beginning. */
	kprof_history_end(&history, &queue[0], 600);
	kprof_history_end(&history, &queue[1], 600);
	CHECK_INT(waited(90, 600).ns, 160);
	CHECK(!kprof_history_read(&history, &queue[1], 600, 600, &found));
	CHECK(!(history.turn & 1));
}

/* More groups than there is room for: those that are throttled now are never forgotten. */
static void test_full(void)
{
	u32 i, open = 0;

	start();
	for (i = 0; i < ARRAY_SIZE(queue); i++) {
		kprof_history_begin(&history, &queue[i], PATH, 100 + i);
		open += !!kprof_history_find(&history, &queue[i]);
	}
	CHECK(open <= KPROF_GROUPS && open > KPROF_GROUPS / 2);
	CHECK_INT(history.lost, ARRAY_SIZE(queue) - open);
	for (i = 0; i < ARRAY_SIZE(queue); i++)
		kprof_history_end(&history, &queue[i], 10000 + i);
	for (i = 0; i < ARRAY_SIZE(queue); i++) {
		kprof_history_begin(&history, &queue[i], PATH, 20000 + i);
		CHECK(kprof_history_find(&history, &queue[i]));
		kprof_history_end(&history, &queue[i], 30000 + i);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "one period", test_one },
		{ "several periods", test_several },
		{ "more than there is room for", test_many },
		{ "one that goes on, or whose end was missed", test_goes_on },
		{ "more groups than there is room for", test_full },
		{ 0 }
	};

	return unit_run(tests);
}
