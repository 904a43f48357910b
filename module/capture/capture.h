/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capture.h - what every source calls to have a sample taken
 *
 * The room that samples go through, in any context: is this one wanted, what is its stack, where
 * does it count. It knows stacks and the profile. Of its source it knows the account (source.h).
 */
#ifndef KPROF_CAPTURE_H
#define KPROF_CAPTURE_H

#include <linux/hardirq.h>
#include <linux/ptrace.h>

#include "capture/source.h"
#include "profile/profile.h"

/**
 * struct kprof_event - what a source knows of a sample
 * @source:	who asks
 * @task:	the task that the sample is about: its name, its filters
 * @regs:	registers of current, under which its stack lies; NULL if they are not known
 * @time:	ktime_get_mono_fast_ns()
 * @weight:	nanoseconds or events that the sample stands for
 * @along:	what other counters have counted since the sample before; NULL: nothing
 *		is known of them
 * @own:	what the source's own way in added to preempt_count()
 * @skip:	frames of the stack, from the innermost on, that are the probe's own;
 *		KPROF_MAX_SKIP at most
 * @refused:	why there is to be no sample; it is counted as dropped for that
 * @row:	of the call that returns: KPROF_ID_FULL or of a context; KPROF_ID_NONE: it is
 *		not to be in a record
 * @has_return:	there will be another event for its return
 * @is_wanted:	kprof_capture_wants() was asked before
 */
struct kprof_event {
	struct kprof_source *source;
	struct task_struct *task;
	struct pt_regs *regs;
	u64 time;
	u64 weight;
	const u64 *along;
	u32 own;
	u32 row;
	u8 skip;
	u8 refused;
	bool has_return;
	bool is_wanted;
};

bool kprof_capture_wants(struct task_struct *task);
u32 kprof_capture_stack(struct pt_regs *regs, u32 skip);
u64 kprof_capture(const struct kprof_event *event);
void kprof_capture_return(const struct kprof_event *event, u64 key);

#endif /* KPROF_CAPTURE_H */
