// SPDX-License-Identifier: GPL-2.0-only
/*
 * enter.c - the entry to, and the return from, a call of a target
 *
 * Every kind of probe calls the functions in this file. A call may return on a different
 * CPU than it began on.
 */
#include <linux/kprobes.h>

#include "base/clock.h"
#include "base/ids.h"
#include "base/state.h"
#include "calls/call.h"
#include "calls/enter.h"
#include "calls/keys.h"
#include "calls/nest.h"
#include "calls/recent.h"
#include "calls/target.h"
#include "capture/capture.h"
#include "profile/profile.h"

/* Records have values of keys only while there is a reader; without one, they cost nothing. */
static bool has_row_records(const struct kprof_target *target)
{
	return target->keys.nr_keys && atomic_read(&kprof_rings_open);
}

/**
 * kprof_call_sample() - a call that begins is a sample, too
 * @call:	the call
 * @entry:	what can be read here
 *
 * Context: as kprof_call_enter(). Return: whether the sample was taken.
 */
bool kprof_call_sample(struct kprof_call *call, const struct kprof_entry *entry)
{
	struct kprof_event event = {
		.source = &call->target->source,
		.task = entry->task ?: current,
		.is_wanted = true,
		/* A point has no return; only a record with its row may follow. */
		.has_return = call->target->probe != KPROF_PROBE_POINT ||
			      has_row_records(call->target),
		.regs = entry->regs,
		.time = ktime_get_mono_fast_ns(),
		.own = entry->own,
		.skip = entry->skip,
		.at_user_entry = entry->at_user_entry,
		.at_place = true,
	};

	call->sample = kprof_capture(&event);
	return call->sample;
}
NOKPROBE_SYMBOL(kprof_call_sample);

/**
 * kprof_call_look() - everything at the entry of a call except for the time
 * @call:	the call
 * @entry:	what can be read here
 *
 * Context: as kprof_call_enter(). Return: whether to watch the call's return.
 */
bool kprof_call_look(struct kprof_call *call, const struct kprof_entry *entry)
{
	struct kprof_target *target = call->target;
	const struct kprof_keyset *keys = &target->keys;

	if (keys->at_entry && !kprof_keyset_enter(keys, entry, call)) {
		this_cpu_inc(target->cpu->filtered);
		return false;
	}
	return kprof_call_take(call, entry, kprof_config->record);
}
NOKPROBE_SYMBOL(kprof_call_look);

/**
 * kprof_call_passes() - do the filter parameters and own= pass a call
 * @target:	the target that was called; counts the call if they do not
 * @task:	the task that the call is about
 * @own:	what the probe's entry path added to preempt_count()
 *
 * Context: any, NMI included; preemption is disabled and kprof_running was seen set.
 * Return: whether they do.
 */
bool kprof_call_passes(struct kprof_target *target, struct task_struct *task, u32 own)
{
	if ((kprof_config->filters & KPROF_FILTER_TASKS) && !kprof_capture_wants(task)) {
		this_cpu_inc(target->cpu->filtered);
		return false;
	}
	if (!kprof_call_is_own(task, own))
		return true;
	this_cpu_inc(target->cpu->by_own);
	return false;
}
NOKPROBE_SYMBOL(kprof_call_passes);

static __always_inline bool begin(struct kprof_call *call, struct kprof_target *target,
				  const struct kprof_entry *entry)
{
	call->target = target;
	call->epoch = kprof_calls_epoch;
	call->sample = 0;
	call->nest = 0;
	local64_set(&call->others, 0);
	call->hits = 0;
	if (unlikely(!target->is_plain))
		return kprof_call_look(call, entry);
	this_cpu_inc(target->cpu->unsampled);
	return true;
}

/**
 * kprof_call_enter() - a call begins
 * @call:	filled in
 * @target:	the target that was called
 * @entry:	what can be read here
 *
 * Context: any, NMI included; preemption is disabled, kprof_running was seen set, and
 * kprof_call_is_wanted() returned true. Return: whether to watch the call's return.
 */
bool kprof_call_enter(struct kprof_call *call, struct kprof_target *target,
		      const struct kprof_entry *entry)
{
	if (!begin(call, target, entry))
		return false;
	if (static_branch_unlikely(&kprof_nesting))
		kprof_nest_push(call, kprof_level(entry->own));
	/* The time spent above does not count as time of the call. */
	call->start = kprof_clock();
	return true;
}
NOKPROBE_SYMBOL(kprof_call_enter);

/**
 * kprof_call_passed() - a place was passed, and there is no return to watch
 * @target:	the place
 * @regs:	the registers there
 * @own:	what the probe's entry path added to preempt_count()
 *
 * Context: any, NMI included; preemption is disabled and kprof_running was seen set.
 */
void kprof_call_passed(struct kprof_target *target, struct pt_regs *regs, u32 own)
{
	struct kprof_event event = {
		.source = &target->source,
		.task = current,
		.is_wanted = true,
		.regs = regs,
		.time = ktime_get_mono_fast_ns(),
		.own = own,
		.at_place = true,
	};

	if (kprof_call_is_unsafe(target) || !kprof_call_has_room(target) ||
	    !kprof_call_is_wanted(target, current, own))
		return;
	if (kprof_config->record)
		kprof_capture(&event);
	else
		this_cpu_inc(target->cpu->unsampled);
}
NOKPROBE_SYMBOL(kprof_call_passed);

/* Not inlined: a row that is cached is found without a call, and needs no registers saved. */
static noinline struct kprof_latency *find_row(struct kprof_call *call)
{
	const struct kprof_target *target = call->target;
	struct kprof_latency *rows = this_cpu_ptr(kprof_profile->cpu)->rows;
	u32 id;

	BUILD_BUG_ON(offsetof(struct kprof_call, context) + sizeof(call->context) !=
		     offsetof(struct kprof_call, value));
	call->context = target->source.id;
	id = kprof_intern(&kprof_profile->contexts, &call->context, 1 + target->keys.nr_keys,
			  0);
	/* A CPU without memory has no rows. */
	if (id == KPROF_ID_FULL || !rows)
		return &this_cpu_ptr(target->cpu)->latency;
	rows += id - KPROF_ID_FIRST;
	/* The first word is the target. */
	kprof_recent_keep(target, rows, kprof_intern_words(&kprof_profile->contexts, id) + 1);
	return rows;
}

/**
 * kprof_call_row() - find the row that a call belongs to
 * @call:	the call, with all its values; its target has keys
 *
 * Context: any, NMI included; preemption is disabled. Return: this CPU's row.
 */
struct kprof_latency *kprof_call_row(struct kprof_call *call)
{
	return kprof_recent_row(call->target, call->value) ?: find_row(call);
}

/* The id of the context that a row belongs to. */
static u32 row_id(const struct kprof_target *target, const struct kprof_latency *row)
{
	const struct kprof_latency *rows = this_cpu_ptr(kprof_profile->cpu)->rows;

	if (row == &this_cpu_ptr(target->cpu)->latency)
		return KPROF_ID_FULL;
	return KPROF_ID_FIRST + (row - rows);
}

/* Read the keys that are in the record alone. */
static noinline void read_each(const struct kprof_keyset *keys, const struct kprof_entry *at,
			       struct kprof_return *end)
{
	for (; end->nr_each < keys->nr_each; end->nr_each++)
		end->each[end->nr_each] = kprof_key_value(&keys->each[end->nr_each], at);
}

/**
 * kprof_call_sampled() - the return of a call that was sampled at its entry
 * @call:	the call
 * @ns:		how long it took
 * @ago:	how long ago it was over, in nanoseconds
 * @at:		what can be read where a span ends; NULL for a function
 * @pid:	thread id of the task that the call is about
 * @row:	where it was counted
 *
 * Context: any, NMI included; preemption is disabled.
 */
void kprof_call_sampled(const struct kprof_call *call, u64 ns, u64 ago,
			const struct kprof_entry *at, u32 pid, const struct kprof_latency *row)
{
	/* Values beyond nr_each are not read: setting them would cost. */
	struct kprof_return end __uninitialized;

	end.source = &call->target->source;
	end.key = call->sample;
	end.time = ktime_get_mono_fast_ns() - ago;
	end.weight = ns;
	end.own = at ? at->own : 0;
	end.pid = pid;
	end.row = has_row_records(call->target) ? row_id(call->target, row) : KPROF_ID_NONE;
	end.nr_each = 0;
	if (at && end.row != KPROF_ID_NONE)
		read_each(&call->target->keys, at, &end);
	kprof_capture_return(&end);
}

/**
 * kprof_call_pass() - a point was passed, which is like a call that takes no time
 * @call:	what kprof_call_open() began, with its keys; it is not left out
 * @at:		what can be read here
 *
 * Context: any, NMI included; preemption is disabled.
 */
void kprof_call_pass(struct kprof_call *call, const struct kprof_entry *at)
{
	struct kprof_target *target = call->target;
	const struct kprof_keyset *keys = &target->keys;
	struct kprof_latency *row;

	if (keys->at_return && !kprof_keyset_leave(keys, at->retval, at, call)) {
		this_cpu_inc(target->cpu->left_out);
		return;
	}
	row = kprof_call_find_row(call);
	kprof_latency_add(row, 0, 0);
	if (call->sample && has_row_records(target))
		kprof_call_sampled(call, 0, 0, at, kprof_id_of(at->task), row);
}

/* Is a call that returns counted, by its time and by conditions? Reads the other keys. */
static __always_inline bool is_in(struct kprof_call *call, u64 ns, u64 retval)
{
	const struct kprof_keyset *keys = &call->target->keys;

	if (unlikely(ns < keys->min_ns))
		return false;
	return !keys->at_return || kprof_keyset_leave(keys, retval, NULL, call);
}

/**
 * kprof_call_leave() - a call returns
 * @call:	kprof_call_enter() returned true for it
 * @retval:	what it returns
 *
 * Context: any, NMI included; preemption is disabled.
 */
void kprof_call_leave(struct kprof_call *call, u64 retval)
{
	u64 ns = kprof_clock_ns(call->start, kprof_clock());
	u64 others = kprof_nest_pop(call, ns);

	/* After a stop it stays among the calls that are open. */
	if (call->epoch != READ_ONCE(kprof_live_epoch))
		return;
	if (is_in(call, ns, retval))
		kprof_call_count(call, ns, others, NULL);
	else
		this_cpu_inc(call->target->cpu->left_out);
}
NOKPROBE_SYMBOL(kprof_call_leave);
