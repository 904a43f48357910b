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
#include "user/totals.h"

u32 kprof_user_stack(struct pt_regs *regs, bool at_entry, u64 *place, u32 max, u16 *flags);

extern bool kprof_user_rules;

char *kprof_user_place_name(u64 place, bool exact);

void kprof_user_meet(const u64 *place, u32 nr, bool is_new);
int kprof_user_expect(struct file *file);

int kprof_user_start(bool rules);
void kprof_user_stop(void);
void kprof_user_clear(void);
void kprof_user_exit(void);

#endif /* KPROF_USER_H */
