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
#include <linux/nospec.h>
#include <linux/types.h>

#include "uapi/kprof_rules.h"

/*
 * What was found last, by place: kprof_rules_mix(), the file's number, and the number of the
 * rule. They are one word, so that an NMI, or another CPU, never sees half of an entry.
 */
#define KPROF_RULES_CACHE_BITS	11

extern u64 kprof_rules_cache[1 << KPROF_RULES_CACHE_BITS];

bool kprof_rules_accept(struct kprof_rules_header *rules, size_t size);
const struct kprof_rule *kprof_rules_search(const struct kprof_rules_header *rules, u32 offset);
void kprof_rules_forget(void);

/*
 * What kprof_rules_accept() has found a rule to be. Of usual ones the CFA is relative to a
 * register, if that is the stack pointer by whole words upwards; and what is saved is in aligned
 * words relative to the CFA. Plain ones are relative to the stack pointer, and the frame pointer
 * stays.
 */
enum kprof_rule_class {
	KPROF_RULE_UNUSUAL,
	KPROF_RULE_USUAL,
	KPROF_RULE_PLAIN,
};

static __always_inline enum kprof_rule_class kprof_rule_class(const struct kprof_rule *rule)
{
	return rule->zero;
}

/* Of a place in a file: what the cache knows it by, beside the number of the file. */
static __always_inline u32 kprof_rules_mix(u32 file, u32 offset)
{
	return offset + file * 0x9e3779b1;
}

static __always_inline u64 *kprof_rules_slot(u32 mix)
{
	mix ^= mix >> KPROF_RULES_CACHE_BITS;
	return &kprof_rules_cache[mix % ARRAY_SIZE(kprof_rules_cache)];
}

/*
 * The number of the rule that the cache has for a place. Without an entry it is above those that
 * files may have. As the sampled process decides on the place, the number must pass
 * array_index_nospec() before it is an index: a processor that guesses the comparison wrong would
 * load a rule from any address, and then user memory wherever that rule says.
 * @file: shifted left by 16
 */
static __always_inline u64 kprof_rules_cached(u64 file, u32 mix)
{
	return READ_ONCE(*kprof_rules_slot(mix)) - file - ((u64)mix << 32);
}

static __always_inline u64 kprof_rules_entry(u64 file, u32 mix, u16 number)
{
	return ((u64)mix << 32) + file + number;
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
	number = kprof_rules_cached((u64)rules->file << 16, kprof_rules_mix(rules->file, offset));
	if (likely(number < rules->nr_rules))
		return kprof_rules_at(rules, array_index_nospec(number, (u64)rules->nr_rules));
	return kprof_rules_search(rules, offset);
}

#endif /* KPROF_RULES_H */
