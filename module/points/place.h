/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - kernel functions to be watched, and places in them
 */
#ifndef KPROF_PLACE_H
#define KPROF_PLACE_H

#include <linux/types.h>

struct kprof_target;

/* name.c */
int kprof_target_parse(struct kprof_target *target, const char *spec,
		       unsigned long *offset, unsigned long *addr);
int kprof_target_check_unique(const struct kprof_target *target, const char *spec);
int kprof_target_explain(int err, const char *spec);

/* place.c */
int kprof_target_prepare(struct kprof_target *target);
int kprof_target_locate(struct kprof_target *target, unsigned long offset,
			unsigned long addr, bool *by_ftrace);
void kprof_target_settle(struct kprof_target **target, u32 nr);

#endif /* KPROF_PLACE_H */
