// SPDX-License-Identifier: GPL-2.0-only
/*
 * step.c - from a function to its caller: by a rule, or by the frame pointer
 *
 * Neither the program's memory nor the rules can be trusted. A step reads aligned words of user
 * memory only, and leads upwards, except out of a signal handler, which may have a stack of its
 * own. Whoever takes steps limits their number.
 */
#include <linux/kernel.h>

#include "user/step.h"

/* By the ABIs, a frame pointer is never odd: this one leads nowhere. */
#define NO_FRAME	1

static bool read_word(unsigned long from, u64 *to)
{
	return from % sizeof(u64) == 0 && kprof_user_read64(from, to);
}

/* Out of a signal handler: the kernel has saved the registers on the stack. */
static enum kprof_step leave_signal(struct kprof_user_state *at)
{
	u64 pc, sp, fp, link = 0;

	if (!read_word(at->sp + KPROF_SIGNAL_PC, &pc) ||
	    !read_word(at->sp + KPROF_SIGNAL_SP, &sp) ||
	    !read_word(at->sp + KPROF_SIGNAL_FP, &fp))
		return KPROF_STEP_LOST;
#ifdef KPROF_SIGNAL_LINK
	if (!read_word(at->sp + KPROF_SIGNAL_LINK, &link))
		return KPROF_STEP_LOST;
#endif
	*at = (struct kprof_user_state) {
		.pc = kprof_user_strip(pc), .sp = sp, .fp = fp, .link = kprof_user_strip(link),
		.word = at->word, .is_exact = true,
	};
	return KPROF_STEP_UP;
}

static bool find_cfa(const struct kprof_rule *rule, const struct kprof_user_state *at, u64 *cfa)
{
	switch (rule->kind) {
	case KPROF_RULE_SP:
		*cfa = at->sp + rule->cfa;
		break;
	case KPROF_RULE_FP:
		*cfa = at->fp + rule->cfa;
		break;
	case KPROF_RULE_FP_AT:
		if (!read_word(at->fp + rule->cfa, cfa))
			return false;
		break;
	case KPROF_RULE_PLT:
		*cfa = at->sp + 8 + 8 * ((s32)(at->pc & 15) >= rule->cfa);
		break;
	default:
		return false;
	}
	return *cfa % sizeof(u64) == 0 && *cfa >= max(at->sp, at->floor);
}

static bool find_fp(const struct kprof_rule *rule, u64 cfa, u64 *fp)
{
	switch (rule->fp) {
	case KPROF_RULE_SAME:
		return true;
	case KPROF_RULE_LOST:
		*fp = NO_FRAME;
		return true;
	case KPROF_RULE_AT_FP:
		return read_word(*fp, fp);
	default:
		return read_word(cfa + rule->fp, fp);
	}
}

/**
 * kprof_step_is_possible() - is what a rule starts from known
 * @rule:	the rule
 * @at:		where the walk is
 *
 * Context: any, NMI included. Return: whether it is.
 */
bool kprof_step_is_possible(const struct kprof_rule *rule, const struct kprof_user_state *at)
{
	bool needs_sp = rule->kind == KPROF_RULE_SP || rule->kind == KPROF_RULE_PLT ||
			rule->kind == KPROF_RULE_SIGNAL;

	return rule->kind != KPROF_RULE_NONE && (at->sp || !needs_sp);
}

/**
 * kprof_step_by_rule() - go to the caller by a rule
 * @rule:	the rule that applies to @at->pc
 * @at:		where the walk is; changed to the caller
 *
 * Context: any, NMI included; in pagefault_disable(). Return: enum kprof_step.
 */
enum kprof_step kprof_step_by_rule(const struct kprof_rule *rule, struct kprof_user_state *at)
{
	u64 cfa, pc = at->link, fp = at->fp;

	if (rule->kind == KPROF_RULE_ROOT)
		return KPROF_STEP_ROOT;
	if (rule->kind == KPROF_RULE_SIGNAL)
		return leave_signal(at);
	if (!find_cfa(rule, at, &cfa))
		return KPROF_STEP_LOST;
	if (rule->ra == KPROF_RULE_SAME ? !pc : !read_word(cfa + rule->ra, &pc))
		return KPROF_STEP_LOST;
	if (!find_fp(rule, cfa, &fp))
		return KPROF_STEP_LOST;
	*at = (struct kprof_user_state) {
		.pc = kprof_user_strip(pc), .sp = cfa, .fp = fp, .floor = cfa, .word = at->word,
	};
	return KPROF_STEP_UP;
}

static bool read_frame(const struct kprof_user_state *at, unsigned long *up, unsigned long *link)
{
	u64 wide[2];
	u32 narrow[2];

	if (at->word == 8) {
		if (!kprof_user_read_pair(at->fp, wide))
			return false;
		*up = wide[0];
		*link = kprof_user_strip(wide[1]);
		return true;
	}
	if (!kprof_user_read32(at->fp, &narrow[0]) || !kprof_user_read32(at->fp + 4, &narrow[1]))
		return false;
	*up = narrow[0];
	*link = narrow[1];
	return true;
}

/**
 * kprof_step_by_frame() - go to the caller by the frame that the frame pointer points to
 * @at:		where the walk is; changed to the caller
 *
 * Context: any, NMI included; in pagefault_disable(). Return: enum kprof_step.
 */
enum kprof_step kprof_step_by_frame(struct kprof_user_state *at)
{
	unsigned long up, link;

	if (!at->word)
		return KPROF_STEP_LOST;
	/* By the ABIs, the root has a frame pointer or a return address of 0. */
	if (!at->fp)
		return KPROF_STEP_ROOT;
	if (at->fp % at->word || at->fp < at->floor || !read_frame(at, &up, &link))
		return KPROF_STEP_LOST;
	*at = (struct kprof_user_state) {
		.pc = link, .sp = kprof_user_above(at->fp), .fp = up, .floor = at->fp + 1,
		.word = at->word,
	};
	return KPROF_STEP_UP;
}
