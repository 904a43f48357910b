/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch.h - starts watching a target
 */
#ifndef KPROF_WATCH_H
#define KPROF_WATCH_H

struct kprof_target;

int kprof_target_watch(struct kprof_target *target, const char *name);

#endif /* KPROF_WATCH_H */
