// SPDX-License-Identifier: GPL-2.0-only
/*
 * callers.c - finds the callers among the keys of targets' rows
 */
#include <linux/list.h>

#include "calls/calls.h"
#include "profile/profile.h"
#include "targets/targets.h"

static void look_at_row(const struct kprof_target *target, const u64 *value,
			void (*look)(unsigned long addr, void *data), void *data)
{
	u32 i;

	for (i = 0; i < target->keys.nr_keys; i++)
		if (target->keys.key[i].kind == KPROF_BY_CALLER)
			look(value[i], data);
}

/**
 * kprof_targets_callers() - iterate over the callers that are keys of rows
 * @look:	called for each; several times for a caller that is in several rows
 * @data:	passed to @look
 *
 * Context: sleeps; kprof_mutex and kprof_profile_sem are held.
 */
void kprof_targets_callers(void (*look)(unsigned long addr, void *data), void *data)
{
	const struct kprof_intern *rows = &kprof_profile->contexts;
	const struct kprof_intern_entry *row;
	struct kprof_target *target;
	u32 id;

	list_for_each_entry(target, kprof_targets(), node) {
		for (id = KPROF_ID_FIRST; id < KPROF_ID_FIRST + kprof_intern_used(rows); id++) {
			row = kprof_intern_get(rows, id);
			if (row && row->word[0] == target->source.id)
				look_at_row(target, row->word + 1, look, data);
		}
	}
}
