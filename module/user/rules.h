/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rules.h - the rules of a file: how to find a function's caller, for each place in it
 *
 * See uapi/kprof_rules.h for the layout.
 */
#ifndef KPROF_RULES_H
#define KPROF_RULES_H

#include <linux/types.h>

#include "uapi/kprof_rules.h"

bool kprof_rules_check(const struct kprof_rules_header *rules, size_t size);
const struct kprof_rule *kprof_rules_find(const struct kprof_rules_header *rules, u64 offset);
void kprof_rules_forget(void);

#endif /* KPROF_RULES_H */
