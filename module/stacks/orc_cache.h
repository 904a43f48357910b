/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * orc_cache.h - cache of what the kernel's ORC unwinder does at each address
 */
#ifndef KPROF_ORC_CACHE_H
#define KPROF_ORC_CACHE_H

#include <linux/types.h>
#include <asm/unwind.h>

#include "stacks/orc_rule.h"

#ifdef CONFIG_UNWINDER_ORC
int kprof_orc_init(void);
void kprof_orc_exit(void);
int kprof_orc_walk(const struct kprof_frame_at *at, u64 *frame, u32 nr, u32 max, u16 *flags,
		   struct kprof_path *path);
void kprof_orc_learn(const struct kprof_frame_at *from, const struct stack_info *stack,
		     const struct unwind_state *after);
bool kprof_orc_over_thunk(struct kprof_frame_at *at);
bool kprof_orc_is_cut_short(unsigned long sp);

/* Internal to the cache: orc_cache.c, orc_learn.c, orc_stacks.c. */
void kprof_orc_store(unsigned long addr, u64 rule);
int kprof_orc_step(struct kprof_frame_at *at, struct kprof_bounds *stack, u64 rule);
bool kprof_orc_at_trampoline(const struct kprof_frame_at *at);
unsigned long kprof_orc_rethook(unsigned long frame, unsigned long trampoline);
int kprof_orc_learn_init(void);
void kprof_orc_learn_exit(void);
int kprof_orc_stacks_init(void);
void kprof_orc_stacks_exit(void);
void kprof_orc_remember_stack(const struct stack_info *stack);
#endif

#endif /* KPROF_ORC_CACHE_H */
