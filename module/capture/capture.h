/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capture.h - take a sample; every source calls this
 *
 * Every sample passes through this directory, in any context: do the filters want it, what is
 * its stack, where is it counted. The code here knows the unwinders and the profile. Of a sample's
 * source it knows only the account (source.h).
 */
#ifndef KPROF_CAPTURE_H
#define KPROF_CAPTURE_H

#include <linux/hardirq.h>
#include <linux/ptrace.h>

#include "capture/cgroup.h"
#include "capture/event.h"
#include "capture/filter.h"
#include "capture/source.h"
#include "profile/profile.h"

bool kprof_capture_wants(struct task_struct *task);
u32 kprof_capture_stack(struct pt_regs *regs, u32 skip);
u32 kprof_capture_user_stack(struct pt_regs *regs, bool at_entry);
u64 kprof_capture(const struct kprof_event *event);
void kprof_capture_late(struct kprof_source *source, const struct kprof_record *rec);
void kprof_capture_return(const struct kprof_return *end);

#endif /* KPROF_CAPTURE_H */
