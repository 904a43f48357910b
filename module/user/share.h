/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * share.h - how many rows of a table each user has taken
 */
#ifndef KPROF_SHARE_H
#define KPROF_SHARE_H

#include <linux/types.h>

struct kprof_share;
struct task_struct;

struct kprof_share *kprof_share_get(struct task_struct *task);
void kprof_share_put(struct kprof_share *share);
bool kprof_share_take(struct kprof_share *share, u32 left);
void kprof_shares_clear(void);

#endif /* KPROF_SHARE_H */
