// SPDX-License-Identifier: GPL-2.0-only
/*
 * rules.c - checks the rules of a file, and finds the one that applies to a place
 *
 * Whoever has written the file has, in effect, written its rules. What is checked here once is
 * what the lookup relies on: that every number is within its table. A rule may still be wrong,
 * and lead to a frame that is none; what follows it reads user memory only, and checks that.
 *
 * A search takes some 280 instructions in a large file, and samples come to the same places again
 * and again: what it found is kept.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/string.h>

#include "uapi/kprof.h"
#include "user/rules.h"

static const u32 *offsets_of(const struct kprof_rules_header *rules)
{
	return (const u32 *)kprof_rules_at(rules, rules->nr_rules);
}

static const u16 *numbers_of(const struct kprof_rules_header *rules)
{
	return (const u16 *)(offsets_of(rules) + rules->nr_rows);
}

static bool is_size_right(const struct kprof_rules_header *rules, size_t size)
{
	u64 want = sizeof(*rules);

	/* 32-bit numbers: this cannot overflow. */
	want += (u64)rules->nr_rules * sizeof(struct kprof_rule);
	want += (u64)rules->nr_rows * (sizeof(u32) + sizeof(u16));
	return want == size;
}

/* KPROF_RULE_SAME, LOST and AT_FP are no multiples of 8. */
static enum kprof_rule_class classify(const struct kprof_rule *rule)
{
	bool by_sp = rule->kind == KPROF_RULE_SP, keeps_fp = rule->fp == KPROF_RULE_SAME;

	if (rule->ra % 8 || (rule->fp % 8 && !keeps_fp))
		return KPROF_RULE_UNUSUAL;
	if (by_sp ? rule->cfa < 0 || rule->cfa % 8 : rule->kind != KPROF_RULE_FP)
		return KPROF_RULE_UNUSUAL;
	return by_sp && keeps_fp ? KPROF_RULE_PLAIN : KPROF_RULE_USUAL;
}

/**
 * kprof_rules_accept() - is this a table of rules; if so, mark those that are usual
 * @rules:	it may be anything; aligned as its type
 * @size:	number of bytes
 *
 * Context: any. Return: whether kprof_rules_find() may be called with it.
 */
bool kprof_rules_accept(struct kprof_rules_header *rules, size_t size)
{
	struct kprof_rule *rule = (struct kprof_rule *)(rules + 1);
	u32 i;

	if (size < sizeof(*rules) || rules->magic != KPROF_RULES_MAGIC || rules->zero ||
	    rules->file > KPROF_USER_FILE_MAX || rules->nr_rules > KPROF_MAX_RULES ||
	    !is_size_right(rules, size))
		return false;
	for (i = 0; i < rules->nr_rules; i++)
		if (rule[i].kind >= KPROF_NR_RULES || rule[i].zero)
			return false;
	for (i = 0; i < rules->nr_rows; i++) {
		if (i && offsets_of(rules)[i - 1] >= offsets_of(rules)[i])
			return false;
		if (numbers_of(rules)[i] >= rules->nr_rules)
			return false;
	}
	for (i = 0; i < rules->nr_rules; i++)
		rule[i].zero = classify(&rule[i]);
	return true;
}

u64 kprof_rules_cache[1 << KPROF_RULES_CACHE_BITS];

/**
 * kprof_rules_search() - find the rule for a place that the cache does not have
 * @rules:	as for kprof_rules_find()
 * @offset:	offset in the file
 *
 * Context: any, NMI included. Return: the rule; NULL if there is none.
 */
const struct kprof_rule *kprof_rules_search(const struct kprof_rules_header *rules, u32 offset)
{
	const u32 *from = offsets_of(rules);
	u32 low = 0, high = rules->nr_rows, middle, mix = kprof_rules_mix(rules->file, offset);
	u16 number;

	while (low < high) {
		/* Stays near the table where the processor speculates past the end of the loop. */
		middle = (low + high) / 2;
		if (from[middle] <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	number = numbers_of(rules)[array_index_nospec(low - 1, rules->nr_rows)];
	WRITE_ONCE(*kprof_rules_slot(mix),
		   kprof_rules_entry((u64)rules->file << 16, mix, number));
	return kprof_rules_at(rules, array_index_nospec(number, rules->nr_rules));
}

/**
 * kprof_rules_forget() - empty the cache, as the numbers of files will be given anew
 *
 * Context: any; nobody looks for a rule meanwhile.
 */
void kprof_rules_forget(void)
{
	memset(kprof_rules_cache, 0, sizeof(kprof_rules_cache));
}
