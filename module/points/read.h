/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * read.h - reads the keys of a target where a span begins or ends
 *
 * What is to be read was decided in advance: finding that out takes more instructions than reading.
 */
#ifndef KPROF_READ_H
#define KPROF_READ_H

#include "calls/calls.h"
#include "points/point.h"

void kprof_point_read_any(const struct kprof_point *point, const u64 *arg,
			  struct task_struct *task, u32 state, struct kprof_call *call);

/**
 * kprof_point_read() - read the keys of a span's beginning, or of its end
 * @point:	the point
 * @at:		what can be read here
 * @at_end:	whether the span ends here
 * @is_plain:	whether it is a plain point; known when this is compiled
 * @call:	its values are filled in
 *
 * Context: as kprof_point_pass().
 */
static __always_inline void kprof_point_read(const struct kprof_point *point,
					     const struct kprof_entry *at, bool at_end,
					     bool is_plain, struct kprof_call *call)
{
	u64 value;

	switch (point->read) {
	case KPROF_READ_NOTHING:
		return;
	case KPROF_READ_STATE:
		value = at->state;
		break;
	case KPROF_READ_WORD:
		value = at->arg[point->read_arg];
		break;
	case KPROF_READ_ERRNO:
		value = kprof_key_errno(at->arg[point->read_arg]);
		break;
	case KPROF_READ_SYSCALL:
		value = kprof_system_call();
		break;
	case KPROF_READ_CURRENT:
		value = kprof_key_comm(current);
		break;
	default:
		if (is_plain)
			kprof_point_read_any(point, at->arg, at->task, at->state, call);
		else
			kprof_keyset_read(&point->target->keys, at, at_end, call);
		return;
	}
	call->value[point->read_key] = value;
}

/**
 * kprof_point_read_task() - the same at a point with @task_arg, where little else is read
 * @point:	the point
 * @at:		what can be read here; not the arguments
 * @call:	its values are filled in
 *
 * Context: as kprof_point_pass().
 */
static __always_inline void kprof_point_read_task(const struct kprof_point *point,
						  const struct kprof_entry *at,
						  struct kprof_call *call)
{
	u64 *value = &call->value[point->read_key];

	if (point->read == KPROF_READ_STATE)
		*value = at->state;
	else if (point->read == KPROF_READ_CURRENT)
		*value = kprof_key_comm(current);
}

#endif /* KPROF_READ_H */
