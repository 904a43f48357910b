/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * step.h - from a function to its caller: by a rule, or by the frame pointer
 */
#ifndef KPROF_STEP_H
#define KPROF_STEP_H

#include "user/frames.h"
#include "user/rules.h"

enum kprof_step {
	KPROF_STEP_UP,		/* the state is the caller's now */
	KPROF_STEP_ROOT,	/* there is no caller */
	KPROF_STEP_LOST,	/* it cannot be found */
};

bool kprof_step_is_possible(const struct kprof_rule *rule, const struct kprof_user_state *at);
enum kprof_step kprof_step_by_rule(const struct kprof_rule *rule, struct kprof_user_state *at);
enum kprof_step kprof_step_by_frame(struct kprof_user_state *at);

#endif /* KPROF_STEP_H */
