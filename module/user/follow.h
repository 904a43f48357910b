/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.h - follows processes, so that their mappings are known before they run them
 */
#ifndef KPROF_FOLLOW_H
#define KPROF_FOLLOW_H

#include <linux/types.h>

struct kprof_maps;

bool kprof_follow_is_on(void);
void kprof_follow_again(const struct kprof_maps *maps);

#endif /* KPROF_FOLLOW_H */
