/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rules.h - the rules of a file: how to find a function's caller, for each place in it
 *
 * See uapi/kprof_rules.h for the layout.
 */
#ifndef KPROF_RULES_H
#define KPROF_RULES_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "uapi/kprof_rules.h"

/*
 * What was found last, by place: the file's number and the offset in it, and the number of the
 * rule. They are one word, so that an NMI, or another CPU, never sees half of an entry.
 */
#define KPROF_RULES_CACHE_BITS	11
#define KPROF_RULES_NUMBER_BITS	16

extern u64 kprof_rules_cache[1 << KPROF_RULES_CACHE_BITS];

bool kprof_rules_check(const struct kprof_rules_header *rules, size_t size);
const struct kprof_rule *kprof_rules_search(const struct kprof_rules_header *rules, u64 key);
void kprof_rules_forget(void);

static __always_inline u64 *kprof_rules_slot(u64 key)
{
	u64 mixed = key ^ key >> KPROF_RULES_CACHE_BITS ^ key >> 32;

	return &kprof_rules_cache[mixed % ARRAY_SIZE(kprof_rules_cache)];
}

static __always_inline const struct kprof_rule *
kprof_rules_at(const struct kprof_rules_header *rules, u16 number)
{
	return (const struct kprof_rule *)(rules + 1) + number;
}

/**
 * kprof_rules_find() - find the rule for a place
 * @rules:	kprof_rules_check() has accepted them; no other rules have their number of a file
 * @offset:	offset in the file
 *
 * Context: any, NMI included. Return: the rule; NULL if there is none.
 */
static __always_inline const struct kprof_rule *
kprof_rules_find(const struct kprof_rules_header *rules, u64 offset)
{
	u64 key = (u64)rules->file << 32 | offset, seen;

	if (unlikely(offset > U32_MAX))
		return NULL;
	seen = READ_ONCE(*kprof_rules_slot(key));
	if (likely(seen >> KPROF_RULES_NUMBER_BITS == key))
		return kprof_rules_at(rules, seen);
	return kprof_rules_search(rules, key);
}

#endif /* KPROF_RULES_H */
