/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * changes.h - notices what processes map, and what they do not map any more
 */
#ifndef KPROF_CHANGES_H
#define KPROF_CHANGES_H

#include <linux/types.h>

struct kprof_maps;
struct task_struct;

int kprof_changes_watch(void (*ask_task)(struct task_struct *task));
void kprof_changes_unwatch(void);
u64 kprof_changes_missed(void);
u64 kprof_changes_unheard(void);
bool kprof_changes_were_missed(const struct kprof_maps *maps);

#endif /* KPROF_CHANGES_H */
