/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pass.h - what happens where a point is passed: a span begins or ends
 *
 * This is inline in the probe of tracepoints, where each call and the registers saved for it would
 * be a tenth of the cost. What is rare is in span.c.
 */
#ifndef KPROF_PASS_H
#define KPROF_PASS_H

#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "base/clock.h"
#include "base/state.h"
#include "calls/calls.h"
#include "points/frame.h"
#include "points/open.h"
#include "points/point.h"
#include "points/switch.h"

bool kprof_span_goes_on(const struct kprof_point *point, const struct kprof_entry *at);
void kprof_span_leave_out(const struct kprof_point *point, const struct kprof_entry *at);
void kprof_span_missed(const struct kprof_point *point, const struct kprof_entry *at);
void kprof_span_discard(const struct kprof_point *point, const struct kprof_entry *at);
bool kprof_point_all_hold(const struct kprof_point *point, const struct kprof_entry *at);
void kprof_point_pass_alone(const struct kprof_point *point, const struct kprof_entry *at);

/* The CPU fits in the upper bits, which pointers and small numbers do not need. */
static __always_inline u64 kprof_join_cpu(u64 key, u32 cpu)
{
	return key ^ (u64)cpu << 48;
}

/*
 * The key that joins: task and interrupt level, or as the point defines it. @is_plain is known when
 * this is compiled: the probe's entry path added nothing to preempt_count(), and @number is 0.
 */
static __always_inline u64 kprof_point_join(const struct kprof_point *point,
					    const struct kprof_entry *at, bool is_plain)
{
	const struct kprof_point_keys *keys = &point->keys;
	u64 key;

	if (!keys->is_joined && is_plain)
		return (unsigned long)current | kprof_context(0);
	if (!keys->is_joined)
		return ((unsigned long)current | kprof_context(at->own)) + at->number;
	if (point->is_joined_by_task)
		return at->arg[keys->join.arg];
	key = kprof_key_value(&keys->join, at);
	/* A multiple: locks inside of tasks differ by as much as the tasks. */
	if (keys->is_task_joined)
		key += (unsigned long)current * GOLDEN_RATIO_64;
	return keys->is_cpu_joined ? kprof_join_cpu(key, raw_smp_processor_id()) : key;
}

/* The idle task is never blocked, nor kept waiting. */
static __always_inline bool kprof_point_is_idle(const struct kprof_point *point,
						const struct kprof_entry *at)
{
	return is_idle_task(at->task) && !kprof_config->idle &&
	       (point->is_about_task || !kprof_context(at->own));
}

static __always_inline u64 kprof_span_size(const struct kprof_point *point,
					   const struct kprof_entry *at)
{
	const struct kprof_point_keys *keys = &point->keys;
	u64 value;

	if (likely(!keys->is_sized))
		return 0;
	value = kprof_key_value(&keys->size, at);
	return keys->is_order ? PAGE_SIZE << min_t(u64, value, BITS_PER_LONG - PAGE_SHIFT - 1) :
				value;
}

/* Only what is wanted needs registers, and making them takes 25 instructions. */
static __always_inline void kprof_point_make_regs(const struct kprof_point *point,
						  struct kprof_entry *at,
						  struct pt_regs *room)
{
	if (room && point->needs_regs && !at->regs)
		kprof_frame_unfold(room, point->iterator, at);
}

/* Take room for a span that begins; NULL if there is none. */
static __always_inline struct kprof_open *kprof_span_claim(const struct kprof_point *point,
							   const struct kprof_entry *at,
							   bool is_plain)
{
	bool replaced = false;
	struct kprof_open *open = kprof_open_claim(&point->owner,
						   kprof_point_join(point, at, is_plain),
						   &replaced);

	if (replaced)
		this_cpu_inc(point->target->cpu->overwritten);
	return open;
}

/* A span begins. */
static __always_inline void kprof_span_begin(const struct kprof_point *point,
					     struct kprof_entry *at,
					     struct pt_regs *room)
{
	struct kprof_target *target = point->target;
	struct kprof_open *open;

	if (point->keys.if_open != KPROF_OPEN_REPLACE && kprof_span_goes_on(point, at))
		return;
	if (kprof_point_is_idle(point, at)) {
		this_cpu_inc(target->cpu->idle);
		return;
	}
	if (!kprof_call_is_wanted(target, at->task, at->own)) {
		if (point->is_continued || kprof_task_is_own(at->task))
			kprof_span_leave_out(point, at);
		return;
	}
	open = kprof_span_claim(point, at, room);
	if (unlikely(!open)) {
		this_cpu_inc(target->cpu->table_full);
		return;
	}
	kprof_point_make_regs(point, at, room);
	open->bytes = kprof_span_size(point, at);
	if (!room)
		open->stack = at->stack;
	open->pid = at->task->pid;
	open->is_unwanted = !kprof_call_begin(&open->call, target, at);
	if (!open->is_unwanted || target->points->is_continued)
		kprof_open_publish(open);
	else
		kprof_open_release(open);
}

/* A span ends, unless it did not begin. */
static __always_inline void kprof_span_end(const struct kprof_point *point, struct kprof_entry *at,
					   struct pt_regs *room)
{
	u64 now = kprof_clock();
	struct kprof_open *open = kprof_open_take(&point->owner,
						  kprof_point_join(point, at, room));

	if (likely(open)) {
		at->pid = open->pid;
		if (likely(!open->is_unwanted)) {
			kprof_point_make_regs(point, at, room);
			kprof_call_end(&open->call, kprof_clock_ns(open->call.start, now), at);
		}
		kprof_open_release(open);
	} else if (kprof_filter_may_pass(kprof_config, at->task)) {
		kprof_span_missed(point, at);
	}
}

/* The task that a point is about: the joining key if that is a task, else current. */
static __always_inline struct task_struct *kprof_point_subject(const struct kprof_point *point,
							       const struct kprof_entry *at)
{
	struct task_struct *task = NULL;

	if (point->is_about_task)
		task = (struct task_struct *)at->arg[point->keys.join.arg];
	return task ?: current;
}

/* Is it this point, by its conditions? Reads the state of the task that is switched from. */
static __always_inline bool kprof_point_is_meant(const struct kprof_point *point,
						 struct kprof_entry *at)
{
	if (point->needs_state && at->state == KPROF_STATE_WOKEN)
		at->state = kprof_state_of_switch(at->arg);
	/* A state is one of a few, so the conditions on it are one test of a bit, not a call. */
	if (!(point->states & BIT(at->state)))
		return false;
	return !point->is_conditional || kprof_point_all_hold(point, at);
}

/* As kprof_point_pass(); at a tracepoint, with @room for the registers of its frame. */
static __always_inline void kprof_point_passed(const struct kprof_point *point,
					       struct kprof_entry *at,
					       struct pt_regs *room)
{
	at->task = kprof_point_subject(point, at);
	if (point->is_selective && !kprof_point_is_meant(point, at))
		return;
	if (point->role == KPROF_POINT_BEGIN) {
		kprof_span_begin(point, at, room);
	} else if (point->role == KPROF_POINT_END) {
		kprof_span_end(point, at, room);
	} else if (point->role == KPROF_POINT_FORGET) {
		kprof_span_discard(point, at);
	} else {
		kprof_point_make_regs(point, at, room);
		kprof_point_pass_alone(point, at);
	}
}

#endif /* KPROF_PASS_H */
