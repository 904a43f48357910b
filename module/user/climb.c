// SPDX-License-Identifier: GPL-2.0-only
/*
 * climb.c - steps up a user stack by frame pointers, or by the rules that nearly all functions have
 *
 * Most of what a user stack costs is here: some 25 instructions for a function on x86-64 by frame
 * pointers, and 40 by rules.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/nospec.h>

#include "uapi/kprof.h"
#include "user/called.h"
#include "user/walk.h"

/**
 * struct within - the mapping that a climb is in, without what each step would have to load
 * @first:	the first return address in it
 * @size:	its size in bytes
 * @place:	the place of @first
 * @rules:	those of its file; NULL if there are none
 * @rule:	the first of these
 * @nr_rules:	number of rules; 0 if there are none
 * @file:	the number of the file, as kprof_rules_cached() takes it
 * @mix:	kprof_rules_mix(): by rules, of the call that @first is the return address of;
 *		by frame pointers, of @first
 */
struct within {
	unsigned long first;
	unsigned long size;
	u64 place;
	const struct kprof_rules_header *rules;
	const struct kprof_rule *rule;
	u64 nr_rules;
	u64 file;
	u32 mix;
};

static void enter_map(struct within *in, const struct kprof_map *map)
{
	in->first = map->start + 1;
	in->size = map->end - map->start;
	in->place = map->place + 1;
}

static void enter_frames(struct within *in, const struct kprof_map *map)
{
	enter_map(in, map);
	in->mix = kprof_rules_mix(KPROF_USER_FILE(map->place), map->place) + 1;
}

static void enter_rules(struct within *in, struct kprof_walk *walk)
{
	const struct kprof_map *map = walk->last;

	in->rules = NULL;
	in->rule = NULL;
	in->nr_rules = 0;
	if (KPROF_USER_OFFSET(map->place) + in->size <= U32_MAX)
		in->rules = kprof_walk_rules(walk, KPROF_USER_FILE(map->place));
	if (in->rules) {
		in->rule = kprof_rules_at(in->rules, 0);
		in->nr_rules = in->rules->nr_rules;
		in->file = (u64)in->rules->file << 16;
		in->mix = kprof_rules_mix(in->rules->file, map->place);
	}
}

/**
 * struct climb - where it is
 * @rule:	the rule for the last place
 * @pc:		its return address
 * @sp:		its stack pointer
 * @fp:		its frame pointer, unless that has yet to be read
 * @saved:	where that is to be read, as few rules start from it; 0: it is in @fp
 * @to:		where the next place goes
 * @full:	where there is no room for one
 */
struct climb {
	const struct kprof_rule *rule;
	u64 pc;
	unsigned long sp;
	u64 fp;
	unsigned long saved;
	u64 *to;
	u64 *full;
};

enum climbed {
	CLIMB_NEXT,	/* the rule for the last place is unusual, or not in the cache */
	CLIMB_OUT,	/* as CLIMB_NEXT, and the last place is yet to be added */
	CLIMB_LOST,	/* there is no frame where the rule says */
};

/*
 * Step by usual rules of one mapping that are in the cache. Each step of each sample is here where
 * programs have no frame pointers: nothing is called, and user memory is opened once. @c->sp is a
 * multiple of 8 if the first rule starts from it. It is below KPROF_USER_LIMIT, and stays there: a
 * rule adds less than 2 GiB, and what is there is read.
 */
static __always_inline enum climbed climb_cached(struct climb *c, const struct within *in)
{
	unsigned long sp = c->sp, limit = KPROF_USER_LIMIT, floor;
	const struct kprof_rule *rule = c->rule;
	enum climbed climbed = CLIMB_NEXT;
	u64 *to = c->to, number, rel, pc = c->pc;

	OPTIMIZER_HIDE_VAR(limit);
	if (!kprof_user_open())
		return CLIMB_LOST;
	for (;;) {
		floor = sp;
		sp += rule->cfa;
		if (kprof_rule_class(rule) != KPROF_RULE_PLAIN) {
			if (kprof_rule_class(rule) == KPROF_RULE_UNUSUAL) {
				sp = floor;
				break;
			}
			if (rule->kind == KPROF_RULE_FP) {
				if (c->saved)
					kprof_user_get(c->fp, c->saved, limit, lost);
				c->saved = 0;
				sp = c->fp + rule->cfa;
				if (sp % sizeof(u64) || sp < floor)
					goto lost;
			}
			if (rule->fp != KPROF_RULE_SAME)
				c->saved = sp + rule->fp;
		}
		kprof_user_get(pc, sp + rule->ra, limit, lost);
		pc = kprof_user_strip(pc);
		rel = pc - in->first;
		if (unlikely(rel >= in->size || to == c->full)) {
			climbed = CLIMB_OUT;
			break;
		}
		*to++ = rel + in->place;
		number = kprof_rules_cached(in->file, rel + in->mix);
		if (unlikely(number >= in->nr_rules))
			break;
		rule = in->rule + array_index_nospec(number, in->nr_rules);
	}
	user_access_end();
	c->pc = pc;
	c->sp = sp;
	c->to = to;
	return climbed;

lost:
	user_access_end();
	c->to = to;
	return CLIMB_LOST;
}

/* Find the mapping of the last place. Return: false if it has none, or there is no room. */
static bool find_map(struct kprof_walk *walk, const struct climb *c, u16 *end)
{
	if (!c->pc || c->to == c->full) {
		*end = c->pc ? KPROF_STACK_CUT : 0;
		return false;
	}
	walk->last = kprof_maps_find(walk->maps, c->pc - 1);
	return walk->last;
}

/* The last place is in another mapping, or none, or has no room. Return: was it added? */
static bool climb_out(struct kprof_walk *walk, struct climb *c, struct within *in, u16 *end)
{
	if (!find_map(walk, c, end))
		return false;
	kprof_maps_number(walk->maps, walk->last);
	enter_map(in, walk->last);
	*c->to++ = c->pc - in->first + in->place;
	return true;
}

/* Can a climb begin with this rule? If so, the stack is left upwards from @sp on. */
static bool can_climb(const struct kprof_rule *rule, const struct kprof_user_state *at,
		      unsigned long *sp)
{
	*sp = max(at->sp, at->floor);
	if (*sp >= KPROF_USER_LIMIT)
		return false;
	return rule->kind == KPROF_RULE_FP || (*sp == at->sp && at->sp % sizeof(u64) == 0);
}

/**
 * kprof_climb_usual() - go up as long as rules are usual
 * @walk:	the walk; the places are added
 * @rule:	a usual one, for the last place; in the end what kprof_walk_rule() has for that
 * @at:		where the walk is; in the end at the last place
 * @end:	KPROF_STACK_*, or 0 if the root was reached; if the walk has ended
 *
 * Context: any, NMI included; in pagefault_disable(). Return: whether the walk has ended.
 */
bool kprof_climb_usual(struct kprof_walk *walk, const struct kprof_rule **rule,
		       struct kprof_user_state *at, u16 *end)
{
	struct climb c = {
		.rule = *rule, .fp = at->fp, .to = walk->place + walk->nr,
		.full = walk->place + walk->max,
	};
	enum climbed climbed;
	struct within in;

	*end = KPROF_STACK_PARTIAL;
	if (!can_climb(*rule, at, &c.sp))
		return true;
	enter_map(&in, walk->last);
	enter_rules(&in, walk);
	do {
		climbed = climb_cached(&c, &in);
		if (climbed == CLIMB_LOST)
			goto ended;
		if (climbed == CLIMB_OUT) {
			if (!climb_out(walk, &c, &in, end))
				goto ended;
			enter_rules(&in, walk);
		}
		c.rule = NULL;
		if (in.rules)
			c.rule = kprof_rules_find(in.rules, (u32)(c.pc - in.first + in.place) - 1);
	} while (c.rule && kprof_rule_class(c.rule) != KPROF_RULE_UNUSUAL);
	if (c.saved && !kprof_user_read64(c.saved, &c.fp))
		goto ended;
	*at = (struct kprof_user_state) {
		.pc = c.pc, .sp = c.sp, .fp = c.fp, .floor = c.sp, .word = at->word,
	};
	walk->nr = c.to - walk->place;
	*rule = in.rules ? kprof_walk_possible(c.rule, at) : kprof_walk_rule(walk, at);
	return false;

ended:
	walk->nr = c.to - walk->place;
	return true;
}

/*
 * Step by frame pointers inside of one mapping, as climb_cached() does by rules, as long as each
 * place is known to follow a call. @c->sp: the stack's floor.
 */
static __always_inline enum climbed climb_framed(struct climb *c, const struct within *in)
{
	unsigned long fp = c->fp, floor = c->sp, limit = KPROF_USER_LIMIT, at;
	enum climbed climbed = CLIMB_LOST;
	u64 *to = c->to, next, rel, pc = 0;

	OPTIMIZER_HIDE_VAR(limit);
	if (!kprof_user_open())
		return CLIMB_LOST;
	while (fp % sizeof(u64) == 0 && fp >= floor) {
		at = kprof_user_below(fp, limit);
		unsafe_get_user(next, (const u64 __user *)at, lost);
		unsafe_get_user(pc, (const u64 __user *)at + 1, lost);
		floor = fp + 1;
		fp = next;
		pc = kprof_user_strip(pc);
		rel = pc - in->first;
		if (unlikely(rel >= in->size || to == c->full ||
			     !kprof_called_is_known(rel + in->place, rel + in->mix))) {
			climbed = CLIMB_OUT;
			break;
		}
		*to++ = rel + in->place;
	}
lost:
	user_access_end();
	c->pc = pc;
	c->sp = floor;
	c->fp = fp;
	c->to = to;
	return climbed;
}

/* As climb_out(), also where it is not known yet whether the last place follows a call. */
static bool framed_out(struct kprof_walk *walk, struct climb *c, struct within *in, u16 *end)
{
	if (!find_map(walk, c, end) || !kprof_called_from(walk, c->pc, false))
		return false;
	enter_frames(in, walk->last);
	*c->to++ = c->pc - in->first + in->place;
	return true;
}

/**
 * kprof_climb_frames() - go up by frame pointers alone, as no file has rules
 * @walk:	the walk; the places are added
 * @at:		where the walk is
 *
 * Context: any, NMI included; in pagefault_disable(). Return: KPROF_STACK_*, or 0 if the root was
 * reached.
 */
u16 kprof_climb_frames(struct kprof_walk *walk, const struct kprof_user_state *at)
{
	struct climb c = {
		.fp = at->fp, .sp = at->floor, .to = walk->place + walk->nr,
		.full = walk->place + walk->max,
	};
	u16 end = KPROF_STACK_PARTIAL;
	enum climbed climbed;
	struct within in;

	enter_frames(&in, walk->last);
	do
		climbed = climb_framed(&c, &in);
	while (climbed == CLIMB_OUT && framed_out(walk, &c, &in, &end));
	walk->nr = c.to - walk->place;
	/* The first frame's pointer to the next one is 0. */
	return climbed == CLIMB_LOST && !c.fp ? 0 : end;
}
