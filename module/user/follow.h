/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.h - follows processes, so that their mappings are known before they run them
 */
#ifndef KPROF_FOLLOW_H
#define KPROF_FOLLOW_H

#include <linux/types.h>

bool kprof_follow_is_on(void);

#endif /* KPROF_FOLLOW_H */
