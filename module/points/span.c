// SPDX-License-Identifier: GPL-2.0-only
/*
 * span.c - the time between two points that belong together
 *
 * What belongs together has the same key, whatever CPU and task it is on. A span that begins
 * is a call that is entered, but that it lies in the table of open spans meanwhile. Each
 * that has begun ends, is replaced by another one with its key, or never ends: it is counted.
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

/* A task and its level of interruption; or what the point says. */
static __always_inline u64 join(const struct kprof_point *point, const struct kprof_entry *at)
{
	const struct kprof_point_keys *keys = &point->keys;
	u64 key;

	if (!keys->is_joined)
		return (unsigned long)current | kprof_level(at->own);
	if (point->is_about_task)
		return at->arg[keys->join.arg];
	key = kprof_key_value(&keys->join, at);
	/* Pointers and small numbers have nothing of their own up there. */
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

/**
 * kprof_span_begin() - a span begins
 * @point:	where
 * @at:		what there is to look at
 *
 * Context: any, NMI included; preemption is disabled and kprof_running was seen.
 */
void kprof_span_begin(struct kprof_point *point, const struct kprof_entry *at)
{
	struct kprof_target *target = point->target;
	struct kprof_open *open;

	if (is_idle(point, at)) {
		this_cpu_inc(target->cpu->idle);
		return;
	}
	if (!kprof_call_is_wanted(target, at->task))
		return;
	open = kprof_open_claim(target->source.id, join(point, at));
	if (unlikely(!open)) {
		this_cpu_inc(target->cpu->table_full);
		return;
	}
	if (open->replaced)
		this_cpu_inc(target->cpu->overwritten);
	open->bytes = size(point, at);
	if (kprof_call_begin(&open->call, target, at))
		kprof_open_publish(open);
	else
		kprof_open_release(open);
}
NOKPROBE_SYMBOL(kprof_span_begin);

/* Nobody has missed the beginning of what is of no interest. */
static bool is_missed(const struct kprof_point *point, const struct kprof_entry *at)
{
	return !is_idle(point, at) && (!kprof_config->filters || kprof_capture_wants(at->task));
}

/**
 * kprof_span_end() - a span ends
 * @point:	where
 * @at:		what there is to look at
 *
 * Context: as kprof_span_begin().
 */
void kprof_span_end(struct kprof_point *point, const struct kprof_entry *at)
{
	u64 now = kprof_clock();
	struct kprof_target *target = point->target;
	struct kprof_open *open = kprof_open_take(target->source.id, join(point, at));

	if (open) {
		kprof_call_end(&open->call, kprof_clock_ns(open->call.start, now), at);
		kprof_open_release(open);
	} else if (!point->is_shared && is_missed(point, at)) {
		this_cpu_inc(target->cpu->unbegun);
	}
}
NOKPROBE_SYMBOL(kprof_span_end);

/**
 * kprof_span_forget_task() - a task is no more: what it had begun will not end
 * @point:	that tells of it; the task is the first argument
 * @at:		what there is to look at
 *
 * Another task may come to lie where it was.
 *
 * Context: as kprof_span_begin().
 */
void kprof_span_forget_task(struct kprof_point *point, const struct kprof_entry *at)
{
	struct kprof_open *open = kprof_open_take(point->target->source.id, at->arg[0]);

	if (!open)
		return;
	this_cpu_inc(point->target->cpu->unended);
	kprof_open_release(open);
}

/**
 * kprof_span_forget() - what has begun will not be seen to end
 * @target:	any; of a span what is open is counted as never ended
 *
 * Context: kprof_mutex is held; nothing samples meanwhile.
 */
void kprof_span_forget(struct kprof_target *target)
{
	if (target->is_span)
		this_cpu_add(target->cpu->unended, kprof_open_forget(target->source.id));
}

/**
 * kprof_spans_forget() - what has begun will not be seen to end, of any target
 *
 * Context: sleeps; kprof_mutex is held; nothing samples meanwhile.
 */
void kprof_spans_forget(void)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		kprof_span_forget(target);
}

/**
 * kprof_spans_prepare() - have room for open spans
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or -ENOMEM.
 */
int kprof_spans_prepare(void)
{
	/* It changes while nothing samples, when nothing is open. */
	if (kprof_open_size(kprof_open_capacity()) == kprof_open_size(kprof_config->max_open) &&
	    kprof_open_capacity())
		return 0;
	kprof_spans_forget();
	return kprof_open_init(kprof_config->max_open);
}
