/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * thunk_x86.h - retpolines and other thunks for indirect calls
 */
#ifndef KPROF_THUNK_X86_H
#define KPROF_THUNK_X86_H

#include "stacks/orc_rule.h"

bool kprof_thunk_is_at(unsigned long addr);
u32 kprof_thunk_distance(const struct kprof_frame_at *at);

#endif /* KPROF_THUNK_X86_H */
