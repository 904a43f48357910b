/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - the task filters, pid= and comm=
 */
#ifndef KPROF_FILTER_H
#define KPROF_FILTER_H

#include <linux/bitops.h>
#include <linux/sched.h>

#include "base/config.h"

void kprof_filter_prepare(struct kprof_config *config);
bool kprof_filter_task(const struct kprof_config *config, struct task_struct *task);

/*
 * May a task pass kprof_filter_task()? Most that do not pass are told by the first letter of their
 * name, in 5 instructions; all of it takes 40 or more. Context: as kprof_filter_task().
 */
static __always_inline bool kprof_filter_may_pass(const struct kprof_config *config,
						  const struct task_struct *task)
{
	return test_bit((u8)task->comm[0], config->first);
}

#endif /* KPROF_FILTER_H */
