// SPDX-License-Identifier: GPL-2.0-only
/*
 * target.c - the list of targets
 */
#include "calls/target.h"

static LIST_HEAD(targets);

/* Does not have .cold, which is not a function's entry. */
const char * const kprof_twins[] = {
	".isra.0", ".constprop.0", ".part.0", ".isra.0.constprop.0",
	".constprop.0.isra.0", ".part.0.isra.0", ".part.0.constprop.0", NULL
};

/**
 * kprof_targets() - the list of targets, including those no longer watched
 *
 * Context: kprof_mutex is held; or within RCU, for reading only. Return: head of a list of
 * struct kprof_target.
 */
struct list_head *kprof_targets(void)
{
	return &targets;
}
