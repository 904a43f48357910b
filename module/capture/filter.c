// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter.c - the task filters, pid= and comm=
 */
#include <linux/glob.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "capture/filter.h"

/* How many generations of parents are looked at. */
#define MAX_ANCESTORS	32

static bool is_listed(const struct kprof_config *config, const struct task_struct *task)
{
	u32 i;

	for (i = 0; i < config->nr_pids; i++)
		if (config->pid[i] == task->pid || config->pid[i] == task->tgid)
			return true;
	return false;
}

/* Descendants of a listed process match too, as with perf record -p. */
static bool match_pid(const struct kprof_config *config, struct task_struct *task)
{
	bool match = false;
	int generation;

	/* Disabled preemption is enough for RCU; rcu_read_lock() may itself be probed. */
	for (generation = 0; generation < MAX_ANCESTORS && task->pid; generation++) {
		match = is_listed(config, task);
		if (match)
			break;
		task = rcu_dereference_sched(task->real_parent);
	}
	return match;
}

/* Most names differ from a pattern in the first letter, and need not be looked at further. */
static __always_inline bool may_match(const char *pattern, const char *name)
{
	switch (*pattern) {
	case '*':
	case '?':
	case '[':
	case '\\':
		return true;
	}
	return *pattern == *name;
}

static bool match_comm(const struct kprof_config *config, const struct task_struct *task)
{
	u32 i;

	for (i = 0; i < config->nr_comms; i++)
		if (may_match(config->comm[i], task->comm) &&
		    glob_match(config->comm[i], task->comm))
			return true;
	return false;
}

/**
 * kprof_filter_task() - does a task pass the filters
 * @config:	has the filters
 * @task:	a task that cannot go away meanwhile
 *
 * Context: any, NMI included; preemption is disabled. Return: whether it does.
 */
bool kprof_filter_task(const struct kprof_config *config, struct task_struct *task)
{
	if (config->nr_pids && !match_pid(config, task))
		return false;
	if (config->nr_comms && !match_comm(config, task))
		return false;
	return true;
}
