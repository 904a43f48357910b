/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gone.h - keeps names of addresses in modules that were unloaded
 */
#ifndef KPROF_GONE_H
#define KPROF_GONE_H

#include <linux/types.h>

/* Whether there is such a name. Usually there is none, and kprof_gone_name() need not be called. */
extern bool kprof_gone_any;

/* Iterates over the callers that are keys of rows; kprof_profile_sem is held. */
typedef void (*kprof_each_caller_fn)(void (*look)(unsigned long addr, void *data), void *data);

int kprof_gone_init(kprof_each_caller_fn callers);
void kprof_gone_exit(void);
void kprof_gone_forget(void);
bool kprof_gone_name(u32 id, unsigned long addr, char *text);
void kprof_gone_caller(unsigned long addr, char *text);

#endif /* KPROF_GONE_H */
