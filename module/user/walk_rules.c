// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk_rules.c - the rule for the place where a walk up a user stack is
 *
 * Where a file has no rules yet, a reader is asked for them.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/nospec.h>

#include "uapi/kprof.h"
#include "user/mapped.h"
#include "user/step.h"
#include "user/user.h"
#include "user/walk.h"

/* At most this many files of a process are asked for at once. */
#define MAX_WANTED	256

/*
 * Ask a reader for the rules of a file, and of all others of this process, which are likely to be
 * next. This happens once for each file.
 */
static void want(const struct kprof_maps *maps, u32 file)
{
	u32 nr = min_t(u32, maps->nr, MAX_WANTED), i;
	const struct kprof_map *map;

	kprof_mapped_want(file);
	for (i = 0; i < nr; i++) {
		map = &maps->map[array_index_nospec(i, maps->nr)];
		kprof_mapped_want(kprof_maps_number(maps, map));
	}
}

/* The rules of a file that a place is in, if there are any. */
static const struct kprof_rules_header *rules_of(struct kprof_walk *walk, u32 file)
{
	const struct kprof_mapped *mapped = kprof_mapped_get(file);
	const struct kprof_rules_header *rules;

	if (!mapped || !kprof_mapped_may_have_rules(mapped))
		return NULL;
	/* Pairs with kprof_mapped_take_rules(). */
	rules = smp_load_acquire(&mapped->rules);
	if (!rules) {
		walk->is_early = true;
		if (!READ_ONCE(mapped->is_wanted))
			want(walk->maps, file);
	}
	return rules;
}

/**
 * kprof_walk_rules() - find the rules of a file, and ask for them where there are none yet
 * @walk:	remembers what was found last; @is_early is set where there are none yet
 * @file:	its number
 *
 * Context: any, NMI included; preemption is disabled. Return: the rules; NULL if there are none.
 */
const struct kprof_rules_header *kprof_walk_rules(struct kprof_walk *walk, u32 file)
{
	if (file != walk->file) {
		walk->file = file;
		walk->rules = rules_of(walk, file);
	}
	return walk->rules;
}

/**
 * kprof_walk_possible() - can a rule be applied
 * @rule:	the rule, or NULL
 * @at:		where the walk is
 *
 * Context: any, NMI included. Return: the rule; NULL if there is none, or it cannot.
 */
const struct kprof_rule *kprof_walk_possible(const struct kprof_rule *rule,
					     const struct kprof_user_state *at)
{
	return rule && kprof_step_is_possible(rule, at) ? rule : NULL;
}

/**
 * kprof_walk_rule() - find the rule for the last place that was added
 * @walk:	the walk
 * @at:		where it is
 *
 * Context: any, NMI included; preemption is disabled. Return: the rule; NULL if there is none, or
 * it cannot be applied.
 */
const struct kprof_rule *kprof_walk_rule(struct kprof_walk *walk,
					 const struct kprof_user_state *at)
{
	const struct kprof_rules_header *rules;
	const struct kprof_rule *rule;
	u64 place;

	if (!READ_ONCE(kprof_user_rules) || at->word != 8)
		return NULL;
	place = walk->last->place + (at->pc - !at->is_exact - walk->last->start);
	rules = kprof_walk_rules(walk, KPROF_USER_FILE(place));
	if (!rules)
		return NULL;
	rule = kprof_rules_find(rules, KPROF_USER_OFFSET(place));
	return kprof_walk_possible(rule, at);
}
