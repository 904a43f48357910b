/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach.h - attaches the trampoline to targets
 */
#ifndef KPROF_ATTACH_H
#define KPROF_ATTACH_H

#include <linux/types.h>

void kprof_targets_classify(void);
bool kprof_targets_any(void);
int kprof_targets_attach(void);
int kprof_targets_attach_again(void);
void kprof_targets_restore(void);

#endif /* KPROF_ATTACH_H */
