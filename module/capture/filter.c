// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter.c - the task filters, pid= and comm=
 */
#include <linux/glob.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

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
		/* Who has been reaped keeps the address of a parent, which may be gone. */
		if (!pid_alive(task))
			break;
		task = rcu_dereference_sched(task->real_parent);
	}
	return match;
}

static bool match_comm(const struct kprof_config *config, const struct task_struct *task)
{
	u32 i;

	for (i = 0; i < config->nr_comms; i++)
		if (glob_match(config->comm[i], task->comm))
			return true;
	return false;
}

/* The names that a pattern matches begin with its first letter, or with any. */
static bool begins_with_any(const char *pattern)
{
	return *pattern && strchr("*?[\\", *pattern);
}

/**
 * kprof_filter_prepare() - find out what can be told of the filters in advance
 * @config:	its filters are set; kprof_filter_may_pass() holds from here on
 *
 * Context: any; nobody uses @config yet.
 */
void kprof_filter_prepare(struct kprof_config *config)
{
	u32 i;

	memset(config->first, config->nr_comms ? 0 : 0xff, sizeof(config->first));
	for (i = 0; i < config->nr_comms; i++) {
		if (begins_with_any(config->comm[i]))
			memset(config->first, 0xff, sizeof(config->first));
		else
			__set_bit((u8)config->comm[i][0], config->first);
	}
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
	if (!kprof_filter_may_pass(config, task))
		return false;
	if (config->nr_pids && !match_pid(config, task))
		return false;
	if (config->nr_comms && !match_comm(config, task))
		return false;
	return true;
}
