/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history.h - the periods in which groups of tasks were throttled on a CPU
 */
#ifndef KPROF_HISTORY_H
#define KPROF_HISTORY_H

#include <linux/types.h>

#define KPROF_PERIODS		16	/* an even number */
#define KPROF_GROUPS_LOG2	6
#define KPROF_GROUPS		(1 << KPROF_GROUPS_LOG2)

/**
 * struct kprof_throttled - the part of a task's wait in which it was throttled
 * @ns:		length of that part, in nanoseconds; 0: it was not throttled
 * @ago:	how long ago the part ended, in nanoseconds
 * @path:	id of the path of the cgroup that has the limit, in the profile's table of paths; or
 *		KPROF_ID_NONE or KPROF_ID_FULL
 */
struct kprof_throttled {
	u64 ns;
	u64 ago;
	u32 path;
};

/**
 * struct kprof_period - a period in which a group was throttled, or several such periods
 * @begin:	kprof_clock() when the first one began
 * @end:	when the last one ended; 0 while it goes on
 * @ticks:	if it is several: for how long the group was throttled in them; else 0
 */
struct kprof_period {
	u64 begin;
	u64 end;
	u64 ticks;
};

/**
 * struct kprof_group - a run queue of a group of tasks that was throttled
 * @queue:	its struct cfs_rq, which may have been freed since; NULL: no group
 * @path:	id of the path of the cgroup with the limit
 * @nr:		number of periods
 * @period:	periods, in order of time; older ones are merged when there is no room
 */
struct kprof_group {
	const void *queue;
	u32 path;
	u32 nr;
	struct kprof_period period[KPROF_PERIODS];
};

/**
 * struct kprof_history - the groups that were throttled on a CPU
 * @turn:	odd while it is changed, which the lock of the CPU's run queue serializes
 * @lost:	groups that were forgotten to make room for others, and periods that were not noted:
 *		all groups that may be in the same places were throttled
 * @group:	the groups; the hash of @queue says where to begin to look
 */
struct kprof_history {
	u32 turn;
	u64 lost;
	struct kprof_group group[KPROF_GROUPS];
};

struct kprof_group *kprof_history_find(struct kprof_history *history, const void *queue);
void kprof_history_begin(struct kprof_history *history, const void *queue, u32 path, u64 now);
void kprof_history_end(struct kprof_history *history, const void *queue, u64 now);
void kprof_history_add_up(const struct kprof_group *group, u64 now, u64 wait, bool is_throttled,
			  struct kprof_throttled *found);
bool kprof_history_read(struct kprof_history *history, const void *queue, u64 now, u64 wait,
			struct kprof_throttled *found);

#endif /* KPROF_HISTORY_H */
