// SPDX-License-Identifier: GPL-2.0-only
/*
 * callers.c - finds the callers among the keys of targets' rows
 */
#include <linux/bits.h>
#include <linux/rculist.h>
#include <linux/string.h>

#include "calls/calls.h"
#include "profile/profile.h"
#include "targets/targets.h"

/* Which of the keys of a target are callers, by its id. */
static unsigned long callers[KPROF_MAX_SOURCES];

static unsigned long callers_of(const struct kprof_target *target)
{
	unsigned long mask = 0;
	u32 i;

	for (i = 0; i < target->keys.nr_keys; i++)
		if (target->keys.key[i].kind == KPROF_BY_CALLER)
			mask |= BIT(i);
	return mask;
}

static void look_at_row(const struct kprof_intern_entry *row,
			void (*look)(unsigned long addr, void *data), void *data)
{
	unsigned long mask = row->word[0] < KPROF_MAX_SOURCES ? callers[row->word[0]] : 0;
	u32 i;

	for (i = 1; mask && i < row->nr; i++, mask >>= 1)
		if (mask & 1)
			look(row->word[i], data);
}

/**
 * kprof_targets_callers() - iterate over the callers that are keys of rows
 * @look:	called for each; several times for a caller that is in several rows
 * @data:	passed to @look
 *
 * Context: sleeps; kprof_profile_sem is held, and nobody else calls this. Without kprof_mutex
 * targets may come and go meanwhile: those have no rows.
 */
void kprof_targets_callers(void (*look)(unsigned long addr, void *data), void *data)
{
	const struct kprof_intern *rows = &kprof_profile->contexts;
	u32 id, end = KPROF_ID_FIRST + kprof_intern_used(rows);
	const struct kprof_intern_entry *row;
	struct kprof_target *target;

	memset(callers, 0, sizeof(callers));
	rcu_read_lock();
	list_for_each_entry_rcu(target, kprof_targets(), node)
		callers[target->source.id] = callers_of(target);
	rcu_read_unlock();
	for (id = KPROF_ID_FIRST; id < end; id++) {
		row = kprof_intern_get(rows, id);
		if (row)
			look_at_row(row, look, data);
	}
}
