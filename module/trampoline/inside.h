/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.h - tracks calls inside the trampoline, and lets them return without it
 */
#ifndef KPROF_INSIDE_H
#define KPROF_INSIDE_H

#include <linux/jump_label.h>
#include <linux/types.h>

#include "stacks/stacks.h"

struct kprof_target;
struct task_struct;

#if KPROF_HAS_DIRECT
/* Enabled when a function gets the trampoline for the first time. */
DECLARE_STATIC_KEY_FALSE(kprof_direct_used);

static __always_inline bool kprof_direct_is_used(void)
{
	return static_branch_unlikely(&kprof_direct_used);
}

const struct kprof_target *kprof_inside_of(struct task_struct *task);
#endif

#endif /* KPROF_INSIDE_H */
