/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * targets.h - the targets that are watched
 *
 * The code in this directory finds a target by its name, chooses the best probe for it, and removes
 * it. It knows all ways to watch a call, and nothing of files. calls/ handles what happens when a
 * target is called.
 */
#ifndef KPROF_TARGETS_H
#define KPROF_TARGETS_H

#include <linux/types.h>

#include "targets/arguments.h"
#include "targets/attach.h"
#include "targets/calibrate.h"
#include "targets/options.h"
#include "targets/probe.h"

int kprof_targets_add(char *list);
int kprof_targets_remove(const char *name);
int kprof_targets_enable(void);
void kprof_targets_disable(void);
void kprof_targets_clear(void);
void kprof_targets_remove_all(void);
void kprof_targets_free(void);

void kprof_targets_callers(void (*look)(unsigned long addr, void *data), void *data);

#endif /* KPROF_TARGETS_H */
