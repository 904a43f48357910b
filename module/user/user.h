/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user.h - user stacks, and the executable mappings of each process
 *
 * The code in this directory takes the user stack of the current task, in any context, and follows
 * processes to know what its addresses mean. It knows neither samples nor kernel stacks.
 *
 * A user stack consists of places in files (see uapi/kprof.h) and not of addresses, as an address
 * has a meaning only in one process, and only while it exists.
 */
#ifndef KPROF_USER_H
#define KPROF_USER_H

#include <linux/ptrace.h>
#include <linux/types.h>

#include "user/mapped.h"
#include "user/pins.h"
#include "user/rules.h"

/**
 * struct kprof_user_totals - statistics of user stacks, over all CPUs
 * @taken:	stacks with at least the interrupted place
 * @cut:	of these, deeper than "depth"
 * @partial:	of these, ended before the root: no frame pointer, or an invalid one
 * @ruled:	of these, with steps by rules
 * @early:	of these, with a place in a file whose rules no reader has provided yet
 * @unknown:	of these, ended where the file describes the frame in a way that no rule can
 * @uncalled:	of these, ended at an address in code that no call returns to
 * @unchecked:	of these, with an address that was taken for a return address, as the code before it
 *		was not in memory
 * @nobody:	not taken: a kernel thread, or a process without memory
 * @unloaded:	not taken: the CPU had loaded another address space than that of the task
 * @fresh:	not taken: the process has not been in user mode since it began, or since its
 *		last exec
 * @unmapped:	not taken: the place is in no known executable memory
 */
struct kprof_user_totals {
	u64 taken;
	u64 cut;
	u64 partial;
	u64 ruled;
	u64 early;
	u64 unknown;
	u64 uncalled;
	u64 unchecked;
	u64 nobody;
	u64 unloaded;
	u64 fresh;
	u64 unmapped;
};

u32 kprof_user_stack(struct pt_regs *regs, bool at_entry, u64 *place, u32 max, u16 *flags);

extern bool kprof_user_rules;

void kprof_user_meet(const u64 *place, u32 nr, bool is_new);

int kprof_user_start(bool rules);
void kprof_user_stop(void);
void kprof_user_clear(void);
void kprof_user_exit(void);

void kprof_user_totals(struct kprof_user_totals *sum);
u32 kprof_spaces_nr(void);
u64 kprof_spaces_failed(void);
u64 kprof_follow_missed(void);
u64 kprof_maps_left_out(void);

#endif /* KPROF_USER_H */
