/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * called.h - whether an address is one that a call returns to
 *
 * A frame pointer may point to anything, and data may hold addresses of code. But a return address
 * follows a call. What was found of a place in a file is kept, as the code there does not change.
 */
#ifndef KPROF_USER_CALLED_H
#define KPROF_USER_CALLED_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "user/walk.h"
#ifdef CONFIG_X86
#include "user/called_x86.h"
#else
#include "user/called_arm64.h"
#endif

#define KPROF_CALLED_CACHE_BITS	11

/* Places that are known to follow a call; 0: none. A word each: an NMI sees no half of one. */
extern u64 kprof_called_cache[1 << KPROF_CALLED_CACHE_BITS];

static __always_inline u64 *kprof_called_slot(u32 mix)
{
	mix >>= KPROF_CALLED_ALIGN_BITS;
	return &kprof_called_cache[mix % ARRAY_SIZE(kprof_called_cache)];
}

/* Is it known that a call is before @place? @mix: kprof_rules_mix() of it */
static __always_inline bool kprof_called_is_known(u64 place, u32 mix)
{
	return READ_ONCE(*kprof_called_slot(mix)) == place;
}

bool kprof_called_from(struct kprof_walk *walk, unsigned long pc, bool is_32);
void kprof_called_forget(void);

#endif /* KPROF_USER_CALLED_H */
