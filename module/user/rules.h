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
 * What was found last, by place: the offset in the file, the file's number, and the number of the
 * rule. They are one word, so that an NMI, or another CPU, never sees half of an entry.
 */
#define KPROF_RULES_CACHE_BITS	11

extern u64 kprof_rules_cache[1 << KPROF_RULES_CACHE_BITS];

bool kprof_rules_accept(struct kprof_rules_header *rules, size_t size);
const struct kprof_rule *kprof_rules_search(const struct kprof_rules_header *rules, u32 offset);
void kprof_rules_forget(void);

/*
 * Is the rule as nearly all are: the CFA is relative to a register, and what is saved is in aligned
 * words relative to the CFA?
 */
static __always_inline bool kprof_rule_is_usual(const struct kprof_rule *rule)
{
	return rule->zero;
}

static __always_inline u64 *kprof_rules_slot(u32 file, u32 offset)
{
	u32 mixed = offset ^ offset >> KPROF_RULES_CACHE_BITS ^ file;

	return &kprof_rules_cache[mixed % ARRAY_SIZE(kprof_rules_cache)];
}

/* What an entry of the cache is for the first rule of the file; the others follow. */
static __always_inline u64 kprof_rules_entry(u32 file, u32 offset)
{
	return (u64)offset << 32 | file << 16;
}

static __always_inline const struct kprof_rule *
kprof_rules_at(const struct kprof_rules_header *rules, u32 number)
{
	return (const struct kprof_rule *)(rules + 1) + number;
}

/**
 * kprof_rules_find() - find the rule for a place
 * @rules:	kprof_rules_accept() has; no other rules have their number of a file
 * @offset:	offset in the file
 *
 * Context: any, NMI included. Return: the rule; NULL if there is none.
 */
static __always_inline const struct kprof_rule *
kprof_rules_find(const struct kprof_rules_header *rules, u64 offset)
{
	u64 number;

	if (offset > U32_MAX)
		return NULL;
	number = READ_ONCE(*kprof_rules_slot(rules->file, offset)) -
		 kprof_rules_entry(rules->file, offset);
	if (likely(number < rules->nr_rules))
		return kprof_rules_at(rules, number);
	return kprof_rules_search(rules, offset);
}

#endif /* KPROF_RULES_H */
