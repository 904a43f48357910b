// SPDX-License-Identifier: GPL-2.0-only
/*
 * points_check.c - checks that the keys of points are available where they are read
 *
 * Only what BTF proves to be an argument is accepted as one. A number without a type has the
 * size of its argument.
 */
#include <linux/string.h>

#include "base/error.h"
#include "calls/calls.h"
#include "points/point.h"

static int check_argument(const struct kprof_point *point, struct kprof_key *key,
			  const char *spec)
{
	if (point->is_inlined)
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s: it is inlined, and has its arguments nobody knows where; leave out what names them, or give a function that calls it",
				    key->text);
	if (key->arg >= point->nr_args) {
		if (point->kind == KPROF_PLACE_TRACEPOINT && !point->nr_args)
			return kprof_refuse(-EINVAL, "target", spec,
					    "%s: no BTF tells what arguments %s has; leave $arg out",
					    key->text, point->place);
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s: %s has %u argument%s that can be looked at",
				    key->text, point->place, point->nr_args,
				    point->nr_args == 1 ? "" : "s");
	}
	if (!key->is_typed && !key->nr_derefs) {
		key->size = point->arg[key->arg].size;
		/* What a mask has left is a number without a sign, and in hexadecimal. */
		key->is_signed = point->arg[key->arg].is_signed && !key->is_hex;
	}
	return 0;
}

static int check_key(const struct kprof_point *point, struct kprof_key *key, const char *spec)
{
	switch (key->kind) {
	case KPROF_BY_ARG:
		return check_argument(point, key, spec);
	case KPROF_BY_RETVAL:
	case KPROF_BY_ERROR:
		if (point->kind == KPROF_PLACE_RETURN || point->kind == KPROF_PLACE_URETURN)
			return 0;
		return kprof_refuse(-EINVAL, "target", spec, "%s: %s is no return of a function",
				    key->text, *point->place ? point->place : spec);
	case KPROF_BY_REGISTER:
		if (kprof_point_is_user(point))
			return 0;
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s: registers are keys in programs and libraries alone; give $arg1 or $retval",
				    key->text);
	case KPROF_BY_CALLER:
	case KPROF_BY_STACK:
		if (!kprof_point_is_user(point))
			return 0;
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s: that is of the kernel; give ustack, and stacks=user or stacks=both",
				    key->text);
	default:
		return 0;
	}
}

/* Unless one of the points is sched_switch, there is no state other than "woken". */
static int check_state(const struct kprof_points *points, const struct kprof_key *key,
		       const char *spec)
{
	u32 i;

	if (key->kind != KPROF_BY_STATE)
		return 0;
	for (i = 0; i < points->nr; i++)
		if (points->point[i].is_switch)
			return 0;
	return kprof_refuse(-EINVAL, "target", spec,
			    "state is told at tp:sched_switch alone, and by its arguments");
}

/* Check a key at all points where it is read. A row has it from any of them, so it has one type. */
static int check_key_at(const struct kprof_points *points, struct kprof_key *key, bool at_end,
			const char *spec)
{
	const struct kprof_point *point, *first = NULL;
	int err;

	for (point = points->point; point < points->point + points->nr; point++) {
		const struct kprof_key before = *key;

		if (!kprof_point_reads(point, at_end))
			continue;
		err = check_key(point, key, spec);
		if (err)
			return err;
		if (first && (key->size != before.size || key->is_signed != before.is_signed))
			return kprof_refuse(-EINVAL, "target", spec,
					    "%s: at %s it has another type than at %s; give the type that is meant, as in %s:u32",
					    key->text, point->place, first->place, key->text);
		first = point;
	}
	return 0;
}

/* Check a key of the target at all points where it is read. */
static int check_target_key(struct kprof_target *target, struct kprof_key *key, const char *spec)
{
	struct kprof_points *points = target->points;
	int err;

	if (key->at_end && !kprof_points_is_span(points))
		return kprof_refuse(-EINVAL, "target", spec, "%s: it is a point, and has no end",
				    key->text);
	if (key->kind == KPROF_BY_HITS)
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s: only calls of functions have hits()", key->text);
	if (key->kind == KPROF_BY_FAULT)
		return kprof_refuse(-EINVAL, "target", spec,
				    "fault: only calls of " KPROF_FAULT_FUNCTION " have that");
	err = check_key_at(points, key, key->is_of_end, spec);
	return err ? err : check_state(points, key, spec);
}

/* restart, keep, forget and shared: is there a span that may be open? */
static int check_fate(const struct kprof_point *point, const char *spec)
{
	if (point->keys.if_open != KPROF_OPEN_REPLACE && point->role != KPROF_POINT_BEGIN)
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s: restart and keep are for where a span begins",
				    point->place);
	if (point->keys.is_forgotten && point->role != KPROF_POINT_FORGET)
		return kprof_refuse(-EINVAL, "target", spec, "%s: forget is for where a span ends",
				    point->place);
	if (point->keys.is_shared && point->role != KPROF_POINT_END)
		return kprof_refuse(-EINVAL, "target", spec, "%s: shared is for where a span ends",
				    point->place);
	return 0;
}

/*
 * What joins beside the key has to be the same where spans begin and end, or some never meet. The
 * end of tasks, where spans are discarded, has no key.
 */
static int check_join(const struct kprof_points *points, const struct kprof_point *point,
		      const char *spec)
{
	const struct kprof_point *first = points->point;

	if ((point->role == KPROF_POINT_FORGET && !point->keys.is_forgotten) ||
	    (point->keys.is_cpu_joined == first->keys.is_cpu_joined &&
	     point->keys.is_task_joined == first->keys.is_task_joined))
		return 0;
	return kprof_refuse(-EINVAL, "target", spec,
			    "%s and %s: cpu or pid behind the key that joins must be at both, or at none",
			    first->place, point->place);
}

static int check_point(struct kprof_points *points, struct kprof_point *point, const char *spec)
{
	struct kprof_point_keys *keys = &point->keys;
	int err = 0;
	u32 i;

	if (point->kind == KPROF_PLACE_LATE && (points->nr > 1 || keys->is_joined))
		return kprof_refuse(-EINVAL, "target", spec,
				    "timer:late begins and ends where it is; give it alone, and conditions in its parentheses");
	if (keys->is_joined)
		err = check_key(point, &keys->join, spec);
	for (i = 0; !err && i < keys->nr_conditions; i++) {
		err = check_key(point, &keys->condition[i].key, spec);
		if (!err)
			err = check_state(points, &keys->condition[i].key, spec);
	}
	if (!err && keys->is_sized)
		err = check_key(point, &keys->size, spec);
	if (!err && keys->is_sized && point->role != KPROF_POINT_BEGIN)
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s: only what begins has bytes or an order", point->place);
	if (!err)
		err = check_fate(point, spec);
	points->is_continued |= keys->if_open != KPROF_OPEN_REPLACE;
	point->is_about_task = point->kind == KPROF_PLACE_TRACEPOINT && keys->is_joined &&
			       keys->join.kind == KPROF_BY_ARG && !keys->join.nr_derefs &&
			       !keys->join.is_typed && !keys->join.bucket &&
			       point->arg[keys->join.arg].is_task;
	point->is_joined_by_task = point->is_about_task && !keys->is_cpu_joined &&
				   !keys->is_task_joined;
	return err ? err : check_join(points, point, spec);
}

/**
 * kprof_points_check() - check that everything needed can be read
 * @target:	its points and options are set; types of keys are completed
 * @spec:	the target as it was written, for errors
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, and kprof_refuse() has the
 * reason.
 */
int kprof_points_check(struct kprof_target *target, const char *spec)
{
	struct kprof_points *points = target->points;
	struct kprof_keyset *keys = &target->keys;
	int err = 0;
	u32 i;

	for (i = 0; !err && i < points->nr; i++)
		err = check_point(points, &points->point[i], spec);
	for (i = 0; !err && i < keys->nr_keys; i++)
		err = check_target_key(target, &keys->key[i], spec);
	for (i = 0; !err && i < keys->nr_each; i++)
		/* each(KEY) is read where a span ends, or at a point. */
		err = check_key_at(points, &keys->each[i], true, spec);
	for (i = 0; !err && i < keys->nr_conditions; i++)
		err = check_target_key(target, &keys->condition[i].key, spec);
	if (!err && keys->min_ns && !kprof_points_is_span(points))
		err = kprof_refuse(-EINVAL, "target", spec, "min: it is a point, and takes no time");
	return err;
}
