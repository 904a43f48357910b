/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holdout.h - keeps the module loaded while a task runs inside of a watched call for long
 */
#ifndef KPROF_HOLDOUT_H
#define KPROF_HOLDOUT_H

#include "stacks/stacks.h"

#if KPROF_HAS_DIRECT
void kprof_holdout_begin(void);
void kprof_holdout_end(void);
#endif

#endif /* KPROF_HOLDOUT_H */
