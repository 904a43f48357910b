/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaf_arm64.h - is the caller of an interrupted function still in its link register
 */
#ifndef KPROF_LEAF_ARM64_H
#define KPROF_LEAF_ARM64_H

#include <linux/types.h>

int kprof_leaf_init(void);
void kprof_leaf_exit(void);
bool kprof_leaf_called_from(unsigned long pc, unsigned long lr, unsigned long recorded);

#endif /* KPROF_LEAF_ARM64_H */
