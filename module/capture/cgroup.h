/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroup.h - which cgroup a task is in
 */
#ifndef KPROF_CGROUP_H
#define KPROF_CGROUP_H

#include <linux/types.h>

#include "profile/profile.h"

struct cgroup;
struct task_struct;

#ifdef CONFIG_CGROUPS
u32 kprof_cgroup_path_of(struct cgroup *group);
u32 kprof_cgroup_path(const struct task_struct *task);
bool kprof_cgroup_is(const struct task_struct *task, const char *word);
#else
static inline u32 kprof_cgroup_path_of(struct cgroup *group)
{
	return KPROF_ID_NONE;
}

static inline u32 kprof_cgroup_path(const struct task_struct *task)
{
	return KPROF_ID_NONE;
}

static inline bool kprof_cgroup_is(const struct task_struct *task, const char *word)
{
	return false;
}
#endif

#endif /* KPROF_CGROUP_H */
