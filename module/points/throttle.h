/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * throttle.h - how long tasks were kept off their CPUs by the CPU limit of a cgroup
 *
 * The limit is cpu.max (cgroups of version 2), or cpu.cfs_quota_us (version 1). When a cgroup has
 * used it up, its tasks are throttled: they do not run until the kernel grants more time.
 */
#ifndef KPROF_THROTTLE_H
#define KPROF_THROTTLE_H

#include <linux/compiler.h>
#include <linux/types.h>

struct kprof_throttled;
struct task_struct;

/* A group was throttled or unthrottled since that is watched. Until then, nothing else is asked. */
extern bool kprof_throttle_seen;

void kprof_throttle_exit(void);
void kprof_throttle_watch(void);
void kprof_throttle_unwatch(void);
void kprof_throttle_forget(void);
const char *kprof_throttle_state(void);
u64 kprof_throttle_lost(void);

bool kprof_throttle_holds(const struct task_struct *task);
void kprof_throttle_find(const struct task_struct *task, u8 state, u64 now, u64 ns,
			 struct kprof_throttled *found);

/**
 * kprof_throttle_keeps() - is a task that could go on kept off its CPU by the limit of its cgroup
 * @task:	the task that is switched from, at the tracepoint sched_switch
 *
 * Context: in that tracepoint. Return: whether it is, as far as that is known.
 */
static __always_inline bool kprof_throttle_keeps(const struct task_struct *task)
{
	return unlikely(READ_ONCE(kprof_throttle_seen)) && kprof_throttle_holds(task);
}

#endif /* KPROF_THROTTLE_H */
