/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - what a source tells of a sample, and of the return of a call
 */
#ifndef KPROF_EVENT_H
#define KPROF_EVENT_H

#include <linux/types.h>

#include "profile/profile.h"

struct kprof_source;
struct pt_regs;
struct task_struct;

/**
 * struct kprof_event - what a source knows of a sample
 * @source:	the source that takes the sample
 * @task:	the task that the sample is about; its name is recorded, filters apply to it
 * @regs:	registers of current, from which its stack is unwound; NULL if they are not known
 * @time:	ktime_get_mono_fast_ns()
 * @weight:	nanoseconds or events that the sample stands for
 * @along:	what the other counters have counted since the sample before; NULL if that
 *		is not known
 * @copy:	if not NULL: gets the sample's record, if it is put into the ring
 * @own:	what the source's own entry path added to preempt_count()
 * @skip:	number of innermost frames of the stack that belong to the probe;
 *		KPROF_MAX_SKIP at most
 * @has_return:	a struct kprof_return will follow
 * @at_user_entry: a function of a program is entered, and @regs are of user mode
 * @at_place:	a place was passed; else something was interrupted, anywhere
 * @is_wanted:	kprof_capture_wants() has already returned true
 */
struct kprof_event {
	struct kprof_source *source;
	struct task_struct *task;
	struct pt_regs *regs;
	u64 time;
	u64 weight;
	const u64 *along;
	struct kprof_record *copy;
	u32 own;
	u8 skip;
	bool has_return;
	bool at_user_entry;
	bool at_place;
	bool is_wanted;
};

/**
 * struct kprof_return - what is known when a call returns that was sampled at its entry
 * @source:	the source that took the sample
 * @key:	what kprof_capture() returned at the entry
 * @time:	ktime_get_mono_fast_ns()
 * @weight:	the latency of the call, in nanoseconds
 * @own:	what the source's own entry path added to preempt_count()
 * @pid:	thread id of the task that the call is about
 * @row:	the row of the call, which is a context's or KPROF_ID_FULL; KPROF_ID_NONE:
 *		put no row into a record
 * @nr_each:	number of values in @each
 * @each:	with a row: values that are in the record alone
 */
struct kprof_return {
	struct kprof_source *source;
	u64 key;
	u64 time;
	u64 weight;
	u32 own;
	u32 pid;
	u32 row;
	u32 nr_each;
	u64 each[KPROF_MAX_EACH];
};

#endif /* KPROF_EVENT_H */
