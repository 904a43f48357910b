/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.h - where a walk up a user stack is, and what the parts of it share
 *
 * stack.c walks. walk_rules.c finds the rule for where it is. climb.c follows frame pointers, and
 * those rules that nearly all functions have.
 */
#ifndef KPROF_USER_WALK_H
#define KPROF_USER_WALK_H

#include "user/frames.h"
#include "user/maps.h"
#include "user/rules.h"

/**
 * struct kprof_walk - state of an unwind
 * @maps:	mappings of the process
 * @last:	mapping of the last place, most likely that of the next one, too
 * @file:	the file of the last place that a rule was looked for
 * @rules:	its rules; NULL if there are none
 * @place:	the places found
 * @nr:		number of places found
 * @max:	number of places there is room for
 * @is_ruled:	a step was by a rule
 * @is_early:	the rules of a file are not there yet
 * @is_unknown:	the walk ended at a place that no rule can describe
 * @is_uncalled: it ended at an address that no call returns to
 * @is_unchecked: an address was taken for a return address, as the code before it was not in memory
 */
struct kprof_walk {
	const struct kprof_maps *maps;
	const struct kprof_map *last;
	const struct kprof_rules_header *rules;
	u64 *place;
	u32 file;
	u32 nr;
	u32 max;
	bool is_ruled;
	bool is_early;
	bool is_unknown;
	bool is_uncalled;
	bool is_unchecked;
};

const struct kprof_rules_header *kprof_walk_rules(struct kprof_walk *walk, u32 file);
const struct kprof_rule *kprof_walk_rule(struct kprof_walk *walk,
					 const struct kprof_user_state *at);
const struct kprof_rule *kprof_walk_possible(const struct kprof_rule *rule,
					     const struct kprof_user_state *at);
u16 kprof_climb_frames(struct kprof_walk *walk, const struct kprof_user_state *at);
bool kprof_climb_usual(struct kprof_walk *walk, const struct kprof_rule **rule,
		       struct kprof_user_state *at, u16 *end);

#endif /* KPROF_USER_WALK_H */
