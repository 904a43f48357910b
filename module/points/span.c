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
#include "points/pass.h"
#include "points/point.h"
#include "points/points.h"
#include "points/read.h"

/**
 * kprof_span_goes_on() - does an open span go on at this point, where else one would begin
 * @point:	where
 * @at:		what can be read here
 *
 * Context: as kprof_point_pass(). Return: whether it does.
 */
bool kprof_span_goes_on(const struct kprof_point *point, const struct kprof_entry *at)
{
	const u64 key = kprof_point_join(point, at, KPROF_BY_PROBE);
	struct kprof_held held;
	struct kprof_open *open;

	if (!kprof_open_hold(&held, kprof_open_take_any(&point->owner, key)))
		return false;
	open = held.slot->open;
	if (point->keys.if_open == KPROF_OPEN_RESTART)
		open->call.start = kprof_clock();
	kprof_open_publish(held, open->is_unwanted);
	return true;
}
NOKPROBE_SYMBOL(kprof_span_goes_on);

/**
 * kprof_span_leave_out() - a filter leaves out a span that begins
 * @point:	where
 * @at:		what can be read here
 * @key:	joins its beginning with its end
 *
 * A span that a filter leaves out must still be recorded as open if a later point can continue it:
 * that point would begin it anew, for another task. So must one that own= leaves out and that can
 * end in any task: its end would be counted as one whose beginning was missed.
 *
 * Context: as kprof_point_pass().
 */
void kprof_span_leave_out(const struct kprof_point *point, const struct kprof_entry *at, u64 key)
{
	struct kprof_held held;

	if (!point->target->points->is_continued &&
	    !(point->keys.is_joined && kprof_call_is_own(at->task, at->own)))
		return;
	if (!kprof_open_claim(&point->owner, key, &held))
		return;
	held.slot->open->is_unwanted = true;
	kprof_open_publish(held, true);
}
NOKPROBE_SYMBOL(kprof_span_leave_out);

/* Was a beginning missed? Not if the span would have been filtered. */
static bool is_missed(const struct kprof_point *point, const struct kprof_entry *at)
{
	if (kprof_point_is_idle(point, at))
		return false;
	return !kprof_config->filters ||
	       (kprof_capture_wants(at->task) && !kprof_call_is_own(at->task, at->own));
}

/**
 * kprof_span_search() - a span ends that is not where most are
 * @point:	where
 * @at:		what can be read here
 * @key:	joins the beginning with its end
 *
 * Context: as kprof_point_pass(). Return: its slot; NULL if it did not begin, which is counted, or
 * is to be counted nowhere.
 */
struct kprof_slot *kprof_span_search(const struct kprof_point *point, const struct kprof_entry *at,
				     u64 key)
{
	struct kprof_held held;

	if (kprof_open_hold(&held, kprof_open_take_any(&point->owner, key))) {
		if (!held.slot->open->is_unwanted)
			return held.slot;
		kprof_open_release(held);
	} else if (kprof_filter_may_pass(kprof_config, at->task) && !point->keys.is_shared &&
		   is_missed(point, at)) {
		this_cpu_inc(point->target->cpu->unbegun);
	}
	return NULL;
}
NOKPROBE_SYMBOL(kprof_span_search);

/**
 * kprof_span_abandon() - spans that will not end
 * @target:	the target of the spans
 * @key:	of the first one; those of calls of a user function are numbered without a gap
 * @nr:		number of keys; the first one that is not open is the last
 *
 * Context: as kprof_point_pass().
 */
void kprof_span_abandon(struct kprof_target *target, u64 key, u32 nr)
{
	const struct kprof_open_owner owner = kprof_open_owner_of(target->source.id);
	struct kprof_held held;

	for (; nr; nr--, key++) {
		if (!kprof_open_hold(&held, kprof_open_take_any(&owner, key)))
			return;
		if (!held.slot->open->is_unwanted)
			this_cpu_inc(target->cpu->unended);
		kprof_open_release(held);
	}
}

/* A task is no more, and another one may get its address: the keys that kprof_point_join() made. */
static void discard_task(struct kprof_target *target, u64 task)
{
	u32 level, cpu;

	if (target->points->is_call)
		kprof_span_abandon(target, task, KPROF_USER_CALLS);
	if (target->points->point->keys.is_cpu_joined)
		for_each_possible_cpu(cpu)
			kprof_span_abandon(target, kprof_join_cpu(task, cpu), 1);
	for (level = 0; level < KPROF_NR_LEVELS && !target->points->is_call; level++)
		kprof_span_abandon(target, task | level, 1);
}

/**
 * kprof_span_discard() - a span will not end
 * @point:	the point that tells so; without a key, its first argument is a task that is no more
 * @at:		what can be read here
 *
 * Context: as kprof_point_pass().
 */
void kprof_span_discard(const struct kprof_point *point, const struct kprof_entry *at)
{
	if (point->keys.is_forgotten)
		kprof_span_abandon(point->target, kprof_point_join(point, at, KPROF_BY_PROBE), 1);
	else
		discard_task(point->target, at->arg[0]);
}

/**
 * kprof_point_read_any() - read keys at a plain point, of whatever kind, and how many
 * @point:	the point
 * @arg:	the arguments of the tracepoint
 * @task:	the task that the point is about
 * @state:	why that stops running
 * @call:	its values are filled in
 *
 * Not inlined: the entry would cost keys that are read in other ways.
 *
 * Context: as kprof_point_pass().
 */
void kprof_point_read_any(const struct kprof_point *point, const u64 *arg,
			  struct task_struct *task, u32 state, struct kprof_call *call)
{
	const struct kprof_entry at = { .arg = arg, .task = task, .state = state };

	kprof_keyset_read(&point->target->keys, &at, point->role == KPROF_POINT_END, call);
}
NOKPROBE_SYMBOL(kprof_point_read_any);

/* Handles the most common kinds of conditions inline, as this runs each time a place is passed. */
static __always_inline bool condition_holds(const struct kprof_condition *condition,
					    const struct kprof_entry *at)
{
	const struct kprof_key *key = &condition->key;

	if (key->is_direct)
		return kprof_compare(condition, kprof_key_argument(key, at->arg));
	if (key->kind == KPROF_BY_STATE)
		return true;	/* the point's states have decided that */
	return kprof_condition_holds(condition, at);
}

/**
 * kprof_point_all_hold() - do the conditions of a point hold
 * @point:	the point
 * @at:		what can be read here
 *
 * Not inlined: most points have no condition, and should save no registers for it.
 *
 * Context: as kprof_point_pass(). Return: whether all do.
 */
bool kprof_point_all_hold(const struct kprof_point *point, const struct kprof_entry *at)
{
	u32 i;

	for (i = 0; i < point->keys.nr_conditions; i++)
		if (!condition_holds(&point->keys.condition[i], at))
			return false;
	return true;
}

/**
 * kprof_point_pass_alone() - a target that is a single point is like a call that takes no time
 * @point:	the point
 * @at:		what can be read here
 *
 * Context: as kprof_point_pass().
 */
void kprof_point_pass_alone(const struct kprof_point *point, const struct kprof_entry *at)
{
	struct kprof_target *target = point->target;
	struct kprof_call call __uninitialized;	/* kprof_span_open() sets it */

	if (static_branch_unlikely(&kprof_nesting))
		kprof_nest_hit(target, kprof_level(at->own));
	if (kprof_call_is_wanted(target, at->task, at->own) &&
	    kprof_span_open(point, at, KPROF_BY_PROBE, &call))
		kprof_call_pass(&call, at);
}

/**
 * kprof_point_pass() - a point is passed
 * @point:	the point
 * @at:		what can be read here; its task is overwritten
 *
 * Context: any, NMI included; preemption is disabled and kprof_running was seen set.
 */
void kprof_point_pass(const struct kprof_point *point, struct kprof_entry *at)
{
	kprof_point_passed(point, at, KPROF_BY_PROBE, NULL);
}
NOKPROBE_SYMBOL(kprof_point_pass);

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
