// SPDX-License-Identifier: GPL-2.0-only
/*
 * span.c - spans, which are the time between two points that belong together
 *
 * Points belong together if they have the same key, whatever CPU and task they are on. A span is
 * handled like a call, but is in the table of open spans while it lasts. Each span that has
 * begun either ends, or is replaced by another with the same key, or never ends. All are counted.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "base/clock.h"
#include "base/state.h"
#include "calls/calls.h"
#include "capture/capture.h"
#include "points/open.h"
#include "points/point.h"
#include "points/points.h"

/* The key that joins: task and interrupt level, or as the point defines it. */
static __always_inline u64 join(const struct kprof_point *point, const struct kprof_entry *at)
{
	const struct kprof_point_keys *keys = &point->keys;
	u64 key;

	if (!keys->is_joined)
		return ((unsigned long)current | kprof_level(at->own)) + at->number;
	if (point->is_about_task)
		return at->arg[keys->join.arg];
	key = kprof_key_value(&keys->join, at);
	/* The CPU fits in the upper bits, which pointers and small numbers do not need. */
	return keys->is_cpu_joined ? key ^ (u64)raw_smp_processor_id() << 48 : key;
}

/* The idle task is never blocked, nor kept waiting. */
static __always_inline bool is_idle(const struct kprof_point *point, const struct kprof_entry *at)
{
	return is_idle_task(at->task) && !kprof_config->idle &&
	       (point->is_about_task || !kprof_level(at->own));
}

static __always_inline u64 size(const struct kprof_point *point, const struct kprof_entry *at)
{
	const struct kprof_point_keys *keys = &point->keys;
	u64 value;

	if (likely(!keys->is_sized))
		return 0;
	value = kprof_key_value(&keys->size, at);
	return keys->is_order ? PAGE_SIZE << min_t(u64, value, BITS_PER_LONG - PAGE_SHIFT - 1) :
				value;
}

/* Take room for a span that begins; NULL if there is none. */
static __always_inline struct kprof_open *claim(const struct kprof_point *point,
						const struct kprof_entry *at)
{
	struct kprof_target *target = point->target;
	struct kprof_open *open = kprof_open_claim(target->source.id, join(point, at));

	if (open && open->replaced)
		this_cpu_inc(target->cpu->overwritten);
	return open;
}

/* Does an open span go on at this point, where else one would begin? */
static noinline bool goes_on(const struct kprof_point *point, const struct kprof_entry *at)
{
	struct kprof_open *open = kprof_open_take(point->target->source.id, join(point, at));

	if (!open)
		return false;
	if (point->keys.if_open == KPROF_OPEN_RESTART)
		open->call.start = kprof_clock();
	kprof_open_publish(open);
	return true;
}
NOKPROBE_SYMBOL(goes_on);

/*
 * A filter leaves out a span that begins. If it can go on at a later point, it must be known there:
 * it is not to begin there as that of another task. If own= leaves it out, and it can end in any
 * task, its end must be known, or it would be counted as one whose beginning was missed.
 */
static noinline void leave_out(const struct kprof_point *point, const struct kprof_entry *at)
{
	struct kprof_open *open;

	if (!point->target->points->is_continued &&
	    !(point->keys.is_joined && kprof_call_is_own(at->task, at->own)))
		return;
	open = claim(point, at);
	if (!open)
		return;
	open->is_unwanted = true;
	kprof_open_publish(open);
}
NOKPROBE_SYMBOL(leave_out);

/**
 * kprof_span_begin() - a span begins
 * @point:	where
 * @at:		what can be read here
 *
 * Context: any, NMI included; preemption is disabled and kprof_running was seen set.
 */
void kprof_span_begin(struct kprof_point *point, const struct kprof_entry *at)
{
	struct kprof_target *target = point->target;
	struct kprof_open *open;

	if (point->keys.if_open != KPROF_OPEN_REPLACE && goes_on(point, at))
		return;
	if (is_idle(point, at)) {
		this_cpu_inc(target->cpu->idle);
		return;
	}
	if (!kprof_call_is_wanted(target, at->task, at->own)) {
		leave_out(point, at);
		return;
	}
	open = claim(point, at);
	if (unlikely(!open)) {
		this_cpu_inc(target->cpu->table_full);
		return;
	}
	open->bytes = size(point, at);
	open->stack = at->stack;
	open->pid = at->task->pid;
	open->is_unwanted = !kprof_call_begin(&open->call, target, at);
	if (!open->is_unwanted || target->points->is_continued)
		kprof_open_publish(open);
	else
		kprof_open_release(open);
}
NOKPROBE_SYMBOL(kprof_span_begin);

/* Was a beginning missed? Not if the span would have been filtered. */
static bool is_missed(const struct kprof_point *point, const struct kprof_entry *at)
{
	if (is_idle(point, at))
		return false;
	return !kprof_config->filters ||
	       (kprof_capture_wants(at->task) && !kprof_call_is_own(at->task, at->own));
}

/**
 * kprof_span_end() - a span ends
 * @point:	where
 * @at:		what can be read here; its pid is overwritten
 *
 * Context: as kprof_span_begin().
 */
void kprof_span_end(struct kprof_point *point, struct kprof_entry *at)
{
	u64 now = kprof_clock();
	struct kprof_target *target = point->target;
	struct kprof_open *open = kprof_open_take(target->source.id, join(point, at));

	if (open) {
		at->pid = open->pid;
		if (likely(!open->is_unwanted))
			kprof_call_end(&open->call, kprof_clock_ns(open->call.start, now), at);
		kprof_open_release(open);
	} else if (!point->is_shared && is_missed(point, at)) {
		this_cpu_inc(target->cpu->unbegun);
	}
}
NOKPROBE_SYMBOL(kprof_span_end);

/**
 * kprof_span_abandon() - spans that will not end
 * @target:	the target of the spans
 * @key:	of the first one; those of calls of a user function are numbered without a gap
 * @nr:		number of keys; the first one that is not open is the last
 *
 * Context: as kprof_span_begin().
 */
void kprof_span_abandon(struct kprof_target *target, u64 key, u32 nr)
{
	struct kprof_open *open;

	for (; nr; nr--, key++) {
		open = kprof_open_take(target->source.id, key);
		if (!open)
			return;
		if (!open->is_unwanted)
			this_cpu_inc(target->cpu->unended);
		kprof_open_release(open);
	}
}

/**
 * kprof_span_discard() - a span will not end
 * @point:	the point that tells so; without a key, its first argument is that: a task that
 *		is no more, whose address another one may get
 * @at:		what can be read here
 *
 * Context: as kprof_span_begin().
 */
void kprof_span_discard(struct kprof_point *point, const struct kprof_entry *at)
{
	u64 key = point->keys.is_forgotten ? join(point, at) : at->arg[0];

	kprof_span_abandon(point->target, key,
			   point->target->points->is_call ? KPROF_USER_CALLS : 1);
}

/**
 * kprof_span_forget() - discard the open spans of a target
 * @target:	any target; if it is a span, its open spans are counted as never ended
 *
 * Context: kprof_mutex is held; nothing takes samples meanwhile.
 */
void kprof_span_forget(struct kprof_target *target)
{
	if (target->is_span)
		this_cpu_add(target->cpu->unended, kprof_open_forget(target->source.id));
}

/**
 * kprof_spans_forget() - discard the open spans of all targets
 *
 * Context: sleeps; kprof_mutex is held; nothing takes samples meanwhile.
 */
void kprof_spans_forget(void)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		kprof_span_forget(target);
}

/**
 * kprof_spans_prepare() - allocate the table of open spans
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or -ENOMEM.
 */
int kprof_spans_prepare(void)
{
	/* max_open only changes while nothing takes samples, and then no span is open. */
	if (kprof_open_size(kprof_open_capacity()) == kprof_open_size(kprof_config->max_open) &&
	    kprof_open_capacity())
		return 0;
	kprof_spans_forget();
	return kprof_open_init(kprof_config->max_open);
}
