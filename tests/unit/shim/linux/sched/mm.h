/* SPDX-License-Identifier: GPL-2.0-only */
/* mm.h - the memory of a process, as far as it is held, for the host */
#ifndef KPROF_SHIM_SCHED_MM_H
#define KPROF_SHIM_SCHED_MM_H

#include <linux/atomic.h>

struct mm_struct {
	atomic_t mm_users;
	atomic_t mm_count;
};

static inline void mmgrab(struct mm_struct *mm)
{
	atomic_inc(&mm->mm_count);
}

static inline void mmdrop(struct mm_struct *mm)
{
	atomic_dec(&mm->mm_count);
}

#endif /* KPROF_SHIM_SCHED_MM_H */
