/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pass.h - what happens where a point is passed: a span begins or ends
 *
 * This is inline in the probe of tracepoints, where each call and the registers saved for it would
 * be a tenth of the cost. It is there several times: for any point, and for plain ones, without all
 * that these do not need. What is rare is in span.c.
 */
#ifndef KPROF_PASS_H
#define KPROF_PASS_H

#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "base/clock.h"
#include "base/ids.h"
#include "base/state.h"
#include "calls/calls.h"
#include "points/frame.h"
#include "points/open.h"
#include "points/point.h"
#include "points/read.h"
#include "points/switch.h"

/* By whom a point is passed, which is known when this is compiled. */
enum kprof_passer {
	KPROF_BY_PROBE,		/* any probe but that of a tracepoint */
	KPROF_BY_TRACEPOINT,	/* this has added nothing to preempt_count() */
	KPROF_BY_PLAIN,		/* the same, at a plain point */
	KPROF_BY_TASK,		/* the same, and the entry's task joins: see point->task_arg */
};

bool kprof_span_goes_on(const struct kprof_point *point, const struct kprof_entry *at);
void kprof_span_leave_out(const struct kprof_point *point, const struct kprof_entry *at, u64 key);
struct kprof_slot *kprof_span_search(const struct kprof_point *point, const struct kprof_entry *at,
				     u64 key);
void kprof_span_discard(const struct kprof_point *point, const struct kprof_entry *at);
bool kprof_point_all_hold(const struct kprof_point *point, const struct kprof_entry *at);
void kprof_point_pass_alone(const struct kprof_point *point, const struct kprof_entry *at);

static __always_inline bool kprof_is_plain(enum kprof_passer by)
{
	return by == KPROF_BY_PLAIN || by == KPROF_BY_TASK;
}

/* The CPU fits in the upper bits, which pointers and small numbers do not need. */
static __always_inline u64 kprof_join_cpu(u64 key, u32 cpu)
{
	return key ^ (u64)cpu << 48;
}

/*
 * The key that joins: task and interrupt level, or as the point defines it. At a tracepoint, the
 * entry's @own and @number are 0.
 */
static __always_inline u64 kprof_point_join(const struct kprof_point *point,
					    const struct kprof_entry *at, enum kprof_passer by)
{
	const struct kprof_point_keys *keys = &point->keys;
	u64 key;

	if (by == KPROF_BY_TASK)
		return (unsigned long)at->task;
	if (!keys->is_joined && by != KPROF_BY_PROBE)
		return (unsigned long)current | kprof_context(0);
	if (!keys->is_joined)
		return ((unsigned long)current | kprof_context(at->own)) + at->number;
	if (by == KPROF_BY_PLAIN || point->is_joined_by_task)
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

/*
 * What a function is told that is not inline. An entry whose address is given away has to be in
 * memory from the start, even if that function is hardly ever called: at a plain point, it gets
 * a copy, and at that of a task not even the arguments.
 */
static __always_inline const struct kprof_entry *kprof_pass_entry(const struct kprof_entry *at,
								  enum kprof_passer by,
								  struct kprof_entry *copy)
{
	if (!kprof_is_plain(by))
		return at;
	*copy = *at;
	if (by == KPROF_BY_TASK)
		copy->arg = NULL;
	return copy;
}

/* Only what is wanted needs registers, and making them takes 25 instructions. */
static __always_inline void kprof_point_make_regs(const struct kprof_point *point,
						  struct kprof_entry *at, enum kprof_passer by,
						  struct pt_regs *room)
{
	if (by == KPROF_BY_TRACEPOINT && point->needs_regs && !at->regs)
		kprof_frame_unfold(room, point->iterator, at);
}

static __always_inline bool kprof_span_is_wanted(const struct kprof_point *point,
						 const struct kprof_entry *at,
						 enum kprof_passer by)
{
	struct kprof_target *target = point->target;

	if (kprof_is_plain(by))
		return kprof_call_is_others(target, at->task, 0);
	return kprof_call_is_wanted(target, at->task, at->own);
}

/* Read the keys of a span's beginning, or of its end. */
static __always_inline void kprof_pass_read(const struct kprof_point *point,
					    const struct kprof_entry *at, bool at_end,
					    enum kprof_passer by, struct kprof_call *call)
{
	if (by == KPROF_BY_TASK)
		kprof_point_read_task(point, at, call);
	else
		kprof_point_read(point, at, at_end, kprof_is_plain(by), call);
}

/* Return: whether the end is to be watched, by what is read where a span begins. */
static __always_inline bool kprof_span_open(const struct kprof_point *point,
					    const struct kprof_entry *at, enum kprof_passer by,
					    struct kprof_call *call)
{
	const bool is_plain = kprof_is_plain(by);
	struct kprof_target *target = point->target;

	kprof_call_open(call, target);
	if (!is_plain && unlikely(target->keys.nr_conditions)) {
		if (!kprof_call_look(call, at))
			return false;
	} else {
		kprof_pass_read(point, at, false, by, call);
		if (!kprof_call_take(call, at, !is_plain && target->is_sampled))
			return false;
	}
	call->start = kprof_clock();
	return true;
}

/* A span begins. */
static __always_inline void kprof_span_begin(const struct kprof_point *point,
					     struct kprof_entry *at, enum kprof_passer by,
					     struct pt_regs *room)
{
	const bool is_plain = kprof_is_plain(by);
	struct kprof_target *target = point->target;
	struct kprof_entry copy __uninitialized;
	struct kprof_held held;
	struct kprof_open *open;

	if (!is_plain && point->keys.if_open != KPROF_OPEN_REPLACE &&
	    kprof_span_goes_on(point, at))
		return;
	if (kprof_point_is_idle(point, at)) {
		this_cpu_inc(target->cpu->idle);
		return;
	}
	if (!kprof_span_is_wanted(point, at, by)) {
		if (point->is_continued || kprof_task_is_own(at->task))
			kprof_span_leave_out(point, kprof_pass_entry(at, by, &copy),
					     kprof_point_join(point, at, by));
		return;
	}
	if (unlikely(!kprof_open_claim(&point->owner, kprof_point_join(point, at, by), &held))) {
		this_cpu_inc(target->cpu->table_full);
		return;
	}
	open = held.slot->open;
	kprof_point_make_regs(point, at, by, room);
	open->bytes = is_plain ? 0 : kprof_span_size(point, at);
	if (by == KPROF_BY_PROBE)
		open->stack = at->stack;
	if (!is_plain)		/* only a sample has it */
		open->pid = kprof_id_of(at->task);
	open->is_unwanted = !kprof_span_open(point, at, by, &open->call);
	if (!open->is_unwanted || target->points->is_continued)
		kprof_open_publish(held, open->is_unwanted);
	else
		kprof_open_release(held);
}

/* May a row have the state of a call? Conditions let pass what may be throttled later. */
static __always_inline bool kprof_span_state_is_in(const struct kprof_point *point,
						   const struct kprof_call *call)
{
	const struct kprof_points *points = point->target->points;

	return points->states & BIT(call->value[points->state_key] & KPROF_STATE_MASK);
}

/* Is a span in the rows, by its time, and by what is read where it ends? */
static __always_inline bool kprof_span_is_in(const struct kprof_point *point,
					     const struct kprof_entry *at,
					     struct kprof_call *call, u64 ns)
{
	const struct kprof_keyset *keys = &point->target->keys;

	if (unlikely(ns < keys->min_ns))
		return false;
	if (unlikely(keys->nr_conditions && point->is_split) &&
	    !kprof_span_state_is_in(point, call))
		return false;
	if (!keys->at_return)
		return true;
	if (!keys->is_read_at_ends)
		return kprof_keyset_leave(keys, at->retval, at, call);
	kprof_point_read(point, at, true, false, call);
	return true;
}

/*
 * A wait ends, of which the task may have been throttled for a part. Return: nanoseconds of the
 * rest. In a kernel that throttles nobody, it takes two instructions.
 */
static __always_inline u64 kprof_span_rest(const struct kprof_point *point,
					   const struct kprof_entry *at, enum kprof_passer by,
					   struct kprof_call *call, u64 now, u64 ns)
{
	struct kprof_entry copy __uninitialized;

	if (by == KPROF_BY_PROBE || likely(!READ_ONCE(kprof_throttle_seen)) || !point->is_split)
		return ns;
	return kprof_span_split(point, kprof_pass_entry(at, by, &copy), call, now, ns);
}

/* A span ends: kprof_span_open() returned true for it. */
static __always_inline void kprof_span_close(const struct kprof_point *point,
					     const struct kprof_entry *at, enum kprof_passer by,
					     struct kprof_call *call, u64 ns)
{
	/* None is left open when what was seen is emptied, or the clock changes: see session.c. */
	if (kprof_is_plain(by)) {
		kprof_pass_read(point, at, true, by, call);
		kprof_latency_add(kprof_call_find_row(call), ns, 0);
	} else if (likely(kprof_span_is_in(point, at, call, ns))) {
		kprof_call_count(call, ns, 0, at);
	} else {
		this_cpu_inc(point->target->cpu->left_out);
	}
}

/*
 * Is it known that no span ends here, and that none is missed? It is where filter parameters leave
 * the task out, which is the most common case if there are any.
 */
static __always_inline bool kprof_span_is_filtered(const struct kprof_entry *at,
						   const struct kprof_open_group *group)
{
	const struct kprof_config *config = kprof_config;

	return (config->filters & KPROF_FILTER_TASKS) && kprof_open_has_none(group) &&
	       !kprof_filter_may_pass(config, at->task);
}

/* A span ends, unless it did not begin. */
static __always_inline void kprof_span_end(const struct kprof_point *point, struct kprof_entry *at,
					   enum kprof_passer by, struct pt_regs *room)
{
	const u64 key = kprof_point_join(point, at, by);
	struct kprof_open_group *group = kprof_open_group(&point->owner, key);
	struct kprof_entry copy __uninitialized;
	struct kprof_held held;
	struct kprof_open *open;
	u64 now, ns;

	if (!kprof_is_plain(by) && kprof_span_is_filtered(at, group))
		return;
	now = kprof_clock();
	if (unlikely(!kprof_open_take(group, &point->owner, key, &held)) &&
	    !kprof_open_hold(&held, kprof_span_search(point, kprof_pass_entry(at, by, &copy), key)))
		return;
	open = held.slot->open;
	if (!kprof_is_plain(by))
		at->pid = open->pid;
	kprof_point_make_regs(point, at, by, room);
	ns = kprof_clock_ns(open->call.start, now);
	ns = kprof_span_rest(point, at, by, &open->call, now, ns);
	kprof_span_close(point, at, by, &open->call, ns);
	kprof_open_release(held);
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
						 struct kprof_entry *at, enum kprof_passer by)
{
	/* Most switches block. It takes 20 instructions to tell what on. */
	if (point->is_of_runnable && !kprof_switch_preempts(at->arg))
		return false;
	if (point->needs_state && at->state == KPROF_STATE_WOKEN)
		at->state = kprof_state_of_switch(at->arg);
	/* A state is one of a few, so the conditions on it are one test of a bit, not a call. */
	if (!(point->states & BIT(at->state)))
		return false;
	return kprof_is_plain(by) || !point->is_conditional || kprof_point_all_hold(point, at);
}

/*
 * As kprof_point_pass(); at a tracepoint, with @room for the registers of its frame. Where all are
 * plain, one that is not may be seen just when it is added: it is not passed yet.
 */
static __always_inline void kprof_point_passed(const struct kprof_point *point,
					       struct kprof_entry *at, enum kprof_passer by,
					       struct pt_regs *room)
{
	const u8 role = by == KPROF_BY_PLAIN ? point->plain : point->role;

	/* A plain point takes 0.7 KiB: it takes no sample, and needs no registers. */
	if (by != KPROF_BY_PLAIN && role != KPROF_POINT_FORGET &&
	    unlikely(!kprof_call_has_room(point->target)))
		return;
	at->task = kprof_point_subject(point, at);
	if (point->is_selective && !kprof_point_is_meant(point, at, by))
		return;
	if (role == KPROF_POINT_BEGIN) {
		kprof_span_begin(point, at, by, room);
	} else if (role == KPROF_POINT_END) {
		kprof_span_end(point, at, by, room);
	} else if (by == KPROF_BY_PLAIN) {
		return;
	} else if (role == KPROF_POINT_FORGET) {
		kprof_span_discard(point, at);
	} else {
		kprof_point_make_regs(point, at, by, room);
		kprof_point_pass_alone(point, at);
	}
}

#endif /* KPROF_PASS_H */
