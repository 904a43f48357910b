/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top_cgroups.h - cgroups in the stacks of an interval, and as rows
 */
#ifndef KPROF_TOP_CGROUPS_H
#define KPROF_TOP_CGROUPS_H

#include "top/top.h"

/* The path of a cgroup from its frame in a stack; NULL if the frame is none of a cgroup. */
const char *top_cgroup_path(const char *frame);

/* Is a cgroup that one, or below it? */
bool top_cgroup_is_below(const char *path, const char *top);

/*
 * Make a row of each cgroup, and of each that has those below it, from the nanoseconds by the name
 * of its frame, and of tasks @without one.
 */
void top_cgroup_rows(struct top_rows *rows, const struct strtab *names, const folded_count *self,
		     folded_count without);

#endif /* KPROF_TOP_CGROUPS_H */
