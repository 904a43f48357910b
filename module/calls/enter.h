/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * enter.h - a call of a target begins and returns
 */
#ifndef KPROF_ENTER_H
#define KPROF_ENTER_H

#include <linux/types.h>

struct kprof_call;
struct kprof_entry;
struct kprof_latency;
struct kprof_target;
struct pt_regs;
struct task_struct;

bool kprof_call_is_wanted(struct kprof_target *target, struct task_struct *task);
bool kprof_call_begin(struct kprof_call *call, struct kprof_target *target,
		      const struct kprof_entry *entry);
bool kprof_call_enter(struct kprof_call *call, struct kprof_target *target,
		      const struct kprof_entry *entry);
struct kprof_latency *kprof_call_row(const struct kprof_call *call);
void kprof_call_pass(struct kprof_call *call, const struct kprof_entry *at);
void kprof_call_passed(struct kprof_target *target, struct pt_regs *regs, u32 own);
void kprof_call_leave(struct kprof_call *call, u64 retval);
void kprof_call_end(struct kprof_call *call, u64 ns, const struct kprof_entry *end);

#endif /* KPROF_ENTER_H */
