// SPDX-License-Identifier: GPL-2.0-only
/*
 * history.c - remembers the periods in which groups of tasks were throttled on a CPU
 *
 * A wait may be as long as hundreds of periods, and there is room for a few. So when there is no
 * room, each two become one: the newer ones stay exact, and of the older ones it is still known for
 * how long the group was throttled in them.
 */
#include <asm/barrier.h>
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "base/clock.h"
#include "points/history.h"

#define WAYS	8	/* places that a group may be in */

static struct kprof_group *place(struct kprof_history *history, const void *queue, u32 way)
{
	const u32 hash = hash_64((unsigned long)queue, KPROF_GROUPS_LOG2);

	return &history->group[(hash + way) % KPROF_GROUPS];
}

/**
 * kprof_history_find() - find a group
 * @history:	that of the CPU
 * @queue:	the group's run queue
 *
 * Context: any. Return: the group; NULL if it was not throttled, or was forgotten.
 */
struct kprof_group *kprof_history_find(struct kprof_history *history, const void *queue)
{
	struct kprof_group *group;
	u32 way;

	for (way = 0; way < WAYS; way++) {
		group = place(history, queue, way);
		if (READ_ONCE(group->queue) == queue)
			return group;
	}
	return NULL;
}
NOKPROBE_SYMBOL(kprof_history_find);

/* Does the last period go on? */
static bool is_open(const struct kprof_group *group)
{
	return group->nr && !group->period[group->nr - 1].end;
}

static u64 last_end(const struct kprof_group *group)
{
	return group->nr ? group->period[group->nr - 1].end : 0;
}

/* A place that is free, or that of the group which was throttled the longest time ago. */
static struct kprof_group *make(struct kprof_history *history, const void *queue)
{
	struct kprof_group *group, *found = NULL;
	u32 way;

	for (way = 0; way < WAYS; way++) {
		group = place(history, queue, way);
		if (!is_open(group) && (!found || last_end(group) < last_end(found)))
			found = group;
	}
	history->lost += !found || found->queue;
	if (!found)
		return NULL;
	WRITE_ONCE(found->nr, 0);
	WRITE_ONCE(found->queue, queue);
	return found;
}

/* Another CPU may read it meanwhile: see kprof_history_read(). */
static void set(struct kprof_period *period, u64 begin, u64 end, u64 ticks)
{
	WRITE_ONCE(period->begin, begin);
	WRITE_ONCE(period->end, end);
	WRITE_ONCE(period->ticks, ticks);
}

static u64 ticks_of(const struct kprof_period *period)
{
	return period->ticks ?: period->end - period->begin;
}

/* Each two periods become one. All of them are over. */
static void merge(struct kprof_group *group)
{
	const struct kprof_period *two;
	u32 i;

	for (i = 0; i < KPROF_PERIODS / 2; i++) {
		two = &group->period[2 * i];
		set(&group->period[i], two[0].begin, two[1].end,
		    ticks_of(&two[0]) + ticks_of(&two[1]));
	}
	WRITE_ONCE(group->nr, KPROF_PERIODS / 2);
}

/* Whoever sees part of a change sees that @turn is odd, or has changed. */
static void change(struct kprof_history *history)
{
	WRITE_ONCE(history->turn, history->turn + 1);
	smp_wmb();	/* pairs with that of kprof_history_read() */
}

static void changed(struct kprof_history *history)
{
	smp_store_release(&history->turn, history->turn + 1);	/* after the change */
}

/**
 * kprof_history_begin() - a group is throttled from now on
 * @history:	that of the CPU
 * @queue:	the group's run queue
 * @path:	id of the path of the cgroup with the limit
 * @now:	kprof_clock()
 *
 * Context: the lock of the CPU's run queue is held.
 */
void kprof_history_begin(struct kprof_history *history, const void *queue, u32 path, u64 now)
{
	struct kprof_group *group;

	change(history);
	group = kprof_history_find(history, queue) ?: make(history, queue);
	if (group) {
		if (is_open(group))	/* its end was missed */
			WRITE_ONCE(group->nr, group->nr - 1);
		if (group->nr == KPROF_PERIODS)
			merge(group);
		WRITE_ONCE(group->path, path);
		set(&group->period[group->nr], now, 0, 0);
		WRITE_ONCE(group->nr, group->nr + 1);
	}
	changed(history);
}
NOKPROBE_SYMBOL(kprof_history_begin);

/**
 * kprof_history_end() - a group is throttled no more
 * @history:	that of the CPU
 * @queue:	the group's run queue
 * @now:	kprof_clock()
 *
 * Context: the lock of the CPU's run queue is held.
 */
void kprof_history_end(struct kprof_history *history, const void *queue, u64 now)
{
	struct kprof_group *group = kprof_history_find(history, queue);

	if (!group || !is_open(group))
		return;
	change(history);
	WRITE_ONCE(group->period[group->nr - 1].end, now);
	changed(history);
}
NOKPROBE_SYMBOL(kprof_history_end);

/**
 * kprof_history_add_up() - for how long was a group throttled during a wait that is over
 * @group:	the group
 * @now:	kprof_clock(), when the wait is over
 * @wait:	length of the wait, in nanoseconds
 * @is_throttled: whether it still is; if not, and a period goes on, then its end was missed, and
 *		it does not count
 * @found:	filled in
 *
 * Of periods that were merged nobody knows when the group was throttled in them. If the wait began
 * meanwhile, as much is taken as fits into the wait.
 *
 * Context: any.
 */
void kprof_history_add_up(const struct kprof_group *group, u64 now, u64 wait, bool is_throttled,
			  struct kprof_throttled *found)
{
	u32 nr = min_t(u32, READ_ONCE(group->nr), KPROF_PERIODS);
	const struct kprof_period *period;
	u64 from, to, end, ns;

	*found = (struct kprof_throttled) { .path = READ_ONCE(group->path) };
	while (nr--) {
		period = &group->period[nr];
		end = READ_ONCE(period->end);
		if (!end && !is_throttled)
			continue;
		to = end ? kprof_clock_ns(end, now) : 0;
		if (to >= wait)
			break;
		from = min(kprof_clock_ns(READ_ONCE(period->begin), now), wait);
		ns = from - min(from, to);
		if (period->ticks)
			ns = min(ns, kprof_clock_ns(0, READ_ONCE(period->ticks)));
		if (!found->ns)
			found->ago = to;
		found->ns += ns;
	}
}
NOKPROBE_SYMBOL(kprof_history_add_up);

/**
 * kprof_history_read() - the same of another CPU, whose lock is not held
 * @history:	that of the CPU
 * @queue:	the group's run queue
 * @now:	kprof_clock(), when the wait is over
 * @wait:	length of the wait, in nanoseconds
 * @found:	filled in
 *
 * Context: any. Return: whether the group was throttled there, as far as can be read just now.
 */
bool kprof_history_read(struct kprof_history *history, const void *queue, u64 now, u64 wait,
			struct kprof_throttled *found)
{
	const u32 turn = smp_load_acquire(&history->turn);	/* before what is read */
	const struct kprof_group *group = kprof_history_find(history, queue);

	if (!group || turn & 1)
		return false;
	kprof_history_add_up(group, now, wait, true, found);
	smp_rmb();	/* what was read is older than @turn */
	return found->ns && READ_ONCE(history->turn) == turn;
}
NOKPROBE_SYMBOL(kprof_history_read);
