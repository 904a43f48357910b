/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.h - processes are followed: what they map is known before they run it
 */
#ifndef KPROF_FOLLOW_H
#define KPROF_FOLLOW_H

#include <linux/types.h>

bool kprof_follow_is_on(void);

#endif /* KPROF_FOLLOW_H */
