/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account.h - sums and statistics of a target's calls
 */
#ifndef KPROF_ACCOUNT_H
#define KPROF_ACCOUNT_H

struct kprof_source_kind;
struct kprof_target;

extern const struct kprof_source_kind kprof_target_kind;
extern const struct kprof_source_kind kprof_span_kind;

void kprof_target_clear(struct kprof_target *target);

#endif /* KPROF_ACCOUNT_H */
