// SPDX-License-Identifier: GPL-2.0-only
/*
 * split.c - a wait for a CPU, during a part of which the task was throttled, becomes two rows
 */
#include <linux/kprobes.h>

#include "calls/calls.h"
#include "points/history.h"
#include "points/pass.h"
#include "points/point.h"
#include "points/throttle.h"

/* Count the part in which the task was throttled. Return: whether it is in the rows. */
static bool count_part(const struct kprof_point *point, const struct kprof_entry *at,
		       struct kprof_call *part, const struct kprof_throttled *found)
{
	const struct kprof_keyset *keys = &point->target->keys;
	struct kprof_latency *row;

	if (!kprof_span_state_is_in(point, part) || found->ns < keys->min_ns)
		return false;
	if (keys->at_return && keys->is_read_at_ends)
		kprof_keyset_read(keys, at, true, part);
	else if (keys->at_return && !kprof_keyset_leave(keys, at->retval, at, part))
		return false;
	row = kprof_call_find_row(part);
	kprof_latency_add(row, found->ns, 0);
	if (part->sample)
		kprof_call_sampled(part, found->ns, found->ago, at, at->pid, row);
	return true;
}

/**
 * kprof_span_split() - count the part of a wait in which the task was throttled
 * @point:	where the wait ends; it has @is_split
 * @at:		what can be read here
 * @call:	the wait; its state is changed to what it was in the rest
 * @now:	kprof_clock()
 * @ns:		how long it was
 *
 * What began as throttled is a wait for a CPU afterwards, as after it was preempted. Even a rest of
 * no time at all is counted: it stands for the end of the wait.
 *
 * Context: at the tracepoint sched_switch; kprof_throttle_seen was seen set. Return: nanoseconds of
 * the rest, which is yet to be counted.
 */
u64 kprof_span_split(const struct kprof_point *point, const struct kprof_entry *at,
		     struct kprof_call *call, u64 now, u64 ns)
{
	u64 *state = &call->value[point->target->points->state_key];
	struct kprof_throttled found;
	struct kprof_call part;

	kprof_throttle_find(at->task, *state, now, ns, &found);
	if (!found.ns)
		return ns;
	part = *call;
	part.value[point->target->points->state_key] =
		KPROF_STATE_THROTTLED | (u64)found.path << KPROF_STATE_PATH_SHIFT;
	found.ns = min(found.ns, ns);
	if (count_part(point, at, &part, &found))
		this_cpu_inc(point->target->cpu->split);
	if (*state == KPROF_STATE_THROTTLED)
		*state = KPROF_STATE_PREEMPTED;
	return ns - found.ns;
}
NOKPROBE_SYMBOL(kprof_span_split);
