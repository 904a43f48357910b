/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errand.h - has a process look at its own mappings before it returns to user mode
 */
#ifndef KPROF_ERRAND_H
#define KPROF_ERRAND_H

#include <linux/types.h>

struct task_struct;

int kprof_errands_prepare(void (*run)(void), u32 threads);
bool kprof_errand_send(struct task_struct *task);
void kprof_errands_cancel(void);
bool kprof_errands_end(void);

#endif /* KPROF_ERRAND_H */
