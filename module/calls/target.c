// SPDX-License-Identifier: GPL-2.0-only
/*
 * target.c - the list of targets
 */
#include "calls/target.h"

static LIST_HEAD(targets);

/* .cold is no entry. */
const char * const kprof_twins[] = {
	".isra.0", ".constprop.0", ".part.0", ".isra.0.constprop.0",
	".constprop.0.isra.0", ".part.0.isra.0", ".part.0.constprop.0", NULL
};

/**
 * kprof_targets() - the targets, those no longer watched too
 *
 * Context: kprof_mutex is held; or within RCU, to look only. Return: head of a list of
 * struct kprof_target.
 */
struct list_head *kprof_targets(void)
{
	return &targets;
}
