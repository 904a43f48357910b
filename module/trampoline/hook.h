/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hook.h - how ftrace leads calls of a function to the trampoline
 */
#ifndef KPROF_HOOK_H
#define KPROF_HOOK_H

struct ftrace_ops;

void kprof_hook_prepare(struct ftrace_ops *ops);
int kprof_hook_put_on(struct ftrace_ops *ops);
int kprof_hook_take_off(struct ftrace_ops *ops);

/* In the trampoline, where a callback leads to it: an entry for each slot of kprof_direct_table. */
#define KPROF_DIVERTED_BYTES	8
extern const char kprof_trampoline_diverted[];

#endif /* KPROF_HOOK_H */
