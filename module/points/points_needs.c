// SPDX-License-Identifier: GPL-2.0-only
/*
 * points_needs.c - decides in advance what has to be done where a point is passed
 */
#include <linux/bits.h>

#include "base/state.h"
#include "calls/calls.h"
#include "points/point.h"

#define RUNNABLE \
	(BIT(KPROF_STATE_WOKEN) | BIT(KPROF_STATE_PREEMPTED) | BIT(KPROF_STATE_THROTTLED))

static bool is_state(const struct kprof_key *key)
{
	return key->kind == KPROF_BY_STATE;
}

/* Is the state of the task that is switched from read at a point? */
static bool reads_state(const struct kprof_point *point)
{
	const struct kprof_keyset *keys = &point->target->keys;
	const struct kprof_point_keys *own = &point->keys;
	const struct kprof_key *key;
	u32 i;

	for (key = keys->key; key < keys->key + keys->nr_keys; key++)
		if (is_state(key) && kprof_point_reads(point, key->is_of_end))
			return true;
	for (i = 0; i < keys->nr_conditions; i++) {
		key = &keys->condition[i].key;
		if (is_state(key) && kprof_point_reads(point, key->is_of_end))
			return true;
	}
	for (i = 0; i < own->nr_conditions; i++)
		if (is_state(&own->condition[i].key))
			return true;
	return false;
}

/* The states for which all conditions hold that compare the state where a span begins. */
static u8 wanted_states(const struct kprof_condition *condition, u32 nr)
{
	u8 states = 0;
	u32 state, i;

	BUILD_BUG_ON(KPROF_NR_STATES > 8);
	for (state = 0; state < KPROF_NR_STATES; state++) {
		for (i = 0; i < nr; i++)
			if (is_state(&condition[i].key) && !condition[i].key.is_of_end &&
			    !kprof_compare(&condition[i], state))
				break;
		if (i == nr)
			states |= BIT(state);
	}
	return states;
}

static bool has_other_conditions(const struct kprof_point_keys *keys)
{
	u32 i;

	for (i = 0; i < keys->nr_conditions; i++)
		if (!is_state(&keys->condition[i].key))
			return true;
	return false;
}

/* What has to be done to read a key, if it is the only one where a span begins or ends. */
static u8 read_of(const struct kprof_point *point, const struct kprof_key *key)
{
	bool is_word = key->is_direct && key->size == sizeof(u64) && key->mask == U64_MAX;

	if (is_state(key))
		return KPROF_READ_STATE;
	if (is_word && key->bucket == KPROF_BUCKET_NONE)
		return KPROF_READ_WORD;
	if (is_word && key->bucket == KPROF_BUCKET_ERRNO)
		return KPROF_READ_ERRNO;
	if (key->kind == KPROF_BY_SYSCALL && !key->bucket && !point->is_about_task)
		return KPROF_READ_SYSCALL;
	return key->kind == KPROF_BY_CURRENT ? KPROF_READ_CURRENT : KPROF_READ_ANY;
}

static void prepare_read(struct kprof_point *point)
{
	const struct kprof_keyset *keys = &point->target->keys;
	const struct kprof_key *key;
	u32 i;

	/* One that both begins and ends reads those of either at a time. */
	point->read = point->role == KPROF_POINT_BEGIN || point->role == KPROF_POINT_END ?
		      KPROF_READ_NOTHING : KPROF_READ_ANY;
	for (i = 0; i < keys->nr_keys; i++) {
		key = &keys->key[i];
		if (!kprof_point_reads(point, key->is_of_end))
			continue;
		point->read = point->read ? KPROF_READ_ANY : read_of(point, key);
		point->read_arg = key->arg;
		point->read_key = i;
	}
}

/*
 * Is it a plain point? All that is looked at here need not be looked at where it is passed: most
 * spans of presets begin and end at such points, unless they are samples as well.
 */
static bool is_plain(const struct kprof_point *point)
{
	const struct kprof_target *target = point->target;
	const struct kprof_keyset *keys = &target->keys;
	const struct kprof_point_keys *own = &point->keys;

	return point->kind == KPROF_PLACE_TRACEPOINT && point->nr_args < KPROF_NR_ARGS &&
	       (point->role == KPROF_POINT_BEGIN || point->role == KPROF_POINT_END) &&
	       !target->is_sampled && !(kprof_config->filters & KPROF_FILTER_TASKS) &&
	       !keys->nr_conditions && !keys->min_ns &&
	       (!keys->at_return || keys->is_read_at_ends) &&
	       (!own->is_joined || point->is_joined_by_task) && !own->is_sized &&
	       !point->needs_regs && !point->is_conditional && !point->is_continued;
}

/*
 * Those of the scheduler are passed most often, and a task that is an argument there is never NULL.
 * What is known of them need not be looked at: see tap.c.
 */
static u8 task_arg(const struct kprof_point *point)
{
	if (!point->plain || !point->is_joined_by_task || !(point->is_switch || point->is_wakeup))
		return 0;
	if (point->read != KPROF_READ_NOTHING && point->read != KPROF_READ_STATE &&
	    point->read != KPROF_READ_CURRENT)
		return 0;
	return point->keys.join.arg + 1;
}

/*
 * Does a span end here with the wait of the task that is switched to, and is the state where the
 * wait began a key? Then finds the states that rows may have, by all conditions.
 */
static bool is_split(const struct kprof_point *point)
{
	struct kprof_points *points = point->target->points;
	struct kprof_keyset *keys = &point->target->keys;
	const struct kprof_point *other = points->point;
	u8 states = 0;
	u32 i;

	if (point->role != KPROF_POINT_END || !point->is_switch || !point->is_joined_by_task ||
	    point->keys.join.arg != 2)
		return false;
	for (i = 0; i < keys->nr_keys; i++)
		if (is_state(&keys->key[i]) && !keys->key[i].is_of_end)
			break;
	if (i == keys->nr_keys)
		return false;
	points->state_key = i;
	for (; other < points->point + points->nr && other->role == KPROF_POINT_BEGIN; other++)
		states |= wanted_states(other->keys.condition, other->keys.nr_conditions);
	for (i = 0; i < keys->nr_conditions; i++)
		keys->condition[i].or_throttled = is_state(&keys->condition[i].key) &&
						  !keys->condition[i].key.is_of_end;
	points->states = states & wanted_states(keys->condition, keys->nr_conditions);
	return true;
}

/**
 * kprof_point_prepare() - decide in advance what has to be done where a point is passed
 * @point:	a point that kprof_points_check() has found right
 *
 * Context: sleeps; kprof_mutex is held, and nobody passes the point.
 */
void kprof_point_prepare(struct kprof_point *point)
{
	struct kprof_target *target = point->target;

	target->is_sampled = kprof_config->record;
	/* Keys in parentheses are neither a stack nor a caller: conditions need no registers. */
	point->needs_regs = target->keys.needs_regs ||
			    (target->is_sampled && point->role < KPROF_POINT_END);
	point->needs_state = point->is_switch && reads_state(point);
	point->states = wanted_states(point->keys.condition, point->keys.nr_conditions);
	point->is_of_runnable = point->needs_state && !(point->states & ~RUNNABLE);
	point->is_conditional = has_other_conditions(&point->keys);
	point->is_selective = point->needs_state || point->is_conditional ||
			      point->states != BIT(KPROF_NR_STATES) - 1;
	point->owner = kprof_open_owner_of(target->source.id);
	point->owner.overwritten = &target->cpu->overwritten;
	point->is_continued = target->points->is_continued;
	point->is_split = is_split(point);
	target->points->is_split |= point->is_split;
	prepare_read(point);
	point->plain = is_plain(point) ? point->role : KPROF_POINT_ALONE;
	point->task_arg = task_arg(point);
}
