// SPDX-License-Identifier: GPL-2.0-only
/*
 * tap.c - the probe of a tracepoint, where the points of targets are passed
 *
 * It has no prototype, and takes all arguments as words. It may run anywhere: with a run queue
 * lock held, or in an NMI. If a stack is wanted, it reconstructs the registers of the place as they
 * are after the call that led here.
 *
 * The most common sets of points have a way of their own, in which nothing is looked at that is
 * known: a list of points, and what each is, would take as many instructions as a span.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>

#include "base/state.h"
#include "compat.h"
#include "points/pass.h"
#include "points/point.h"
#include "points/tap.h"

static __always_inline void pass_any(struct kprof_tap *tap, const u64 *arg, unsigned long ret)
{
	/* Clearing what is set, or not read, would cost. */
	struct kprof_entry at __uninitialized;
	struct pt_regs regs __uninitialized;
	const struct kprof_point *point;

	at.arg = arg;
	at.caller = ret;
	at.regs = NULL;
	at.retval = 0;
	at.own = 0;
	at.number = 0;
	at.state = KPROF_STATE_WOKEN;
	at.is_user = false;
	at.at_user_entry = false;
	at.skip = false;
	/* A point may come while others are passed, so each says what it needs. */
	for (point = READ_ONCE(tap->first); point; point = READ_ONCE(point->next))
		kprof_point_passed(point, &at, KPROF_BY_TRACEPOINT, &regs);
}

/*
 * Not inlined: it is called before anything is saved that is not needed here. No array is written,
 * so there is nothing on its stack to protect.
 */
static noinline __no_stack_protector void pass_plain(struct kprof_tap *tap, u64 a, u64 b, u64 c,
						     u64 d, u64 e)
{
	const u64 arg[KPROF_NR_ARGS - 1] = { a, b, c, d, e };
	struct kprof_entry at = { .arg = arg, .state = KPROF_STATE_WOKEN };
	const struct kprof_point *point;

	for (point = READ_ONCE(tap->first); point; point = READ_ONCE(point->next))
		kprof_point_passed(point, &at, KPROF_BY_PLAIN, NULL);
}
NOKPROBE_SYMBOL(pass_plain);

/* As pass_plain(), for KPROF_TAP_WAKEUP. */
static noinline __no_stack_protector void pass_wakeup(struct kprof_tap *tap, u64 task)
{
	struct kprof_entry at = {
		.task = (struct task_struct *)task, .state = KPROF_STATE_WOKEN,
	};

	kprof_span_begin(READ_ONCE(tap->begin), &at, KPROF_BY_TASK, NULL);
}
NOKPROBE_SYMBOL(pass_wakeup);

/* As pass_plain(), for KPROF_TAP_SWITCH, with the arguments of sched_switch. */
static noinline __no_stack_protector void pass_switch(struct kprof_tap *tap, u64 preempt, u64 prev,
						      u64 next, u64 prev_state)
{
	const u64 arg[] = { preempt, prev, next, prev_state };
	struct kprof_entry at = {
		.arg = arg, .task = (struct task_struct *)prev, .state = KPROF_STATE_WOKEN,
	};
	const struct kprof_point *begin = READ_ONCE(tap->begin);

	if (!begin->is_selective || kprof_point_is_meant(begin, &at, KPROF_BY_TASK))
		kprof_span_begin(begin, &at, KPROF_BY_TASK, NULL);
	at.task = (struct task_struct *)next;
	kprof_span_end(READ_ONCE(tap->end), &at, KPROF_BY_TASK, NULL);
}
NOKPROBE_SYMBOL(pass_switch);

static __always_inline void pass(struct kprof_tap *tap, u64 a, u64 b, u64 c, u64 d, u64 e,
				 unsigned long ret)
{
	const u64 arg[KPROF_NR_ARGS] = { a, b, c, d, e };

	pass_any(tap, arg, ret);
}

/*
 * All points have the probe's frame, so it must not be split, as functions are that may be inlined.
 * No array is written here, either.
 */
static noinline __no_stack_protector void on_tracepoint(void *data, u64 a, u64 b, u64 c,
							u64 d, u64 e)
{
	struct kprof_tap *tap = data;
	u8 shape;

	kprof_tracepoint_begin();
	if (READ_ONCE(kprof_running)) {
		shape = smp_load_acquire(&tap->shape);	/* see kprof_tap_form() */
		if (shape == KPROF_TAP_ANY)
			pass(tap, a, b, c, d, e, (unsigned long)__builtin_return_address(0));
		else if (shape == KPROF_TAP_SWITCH)
			pass_switch(tap, a, b, c, d);
		else if (shape == KPROF_TAP_WAKEUP)
			pass_wakeup(tap, a);
		else
			pass_plain(tap, a, b, c, d, e);
	}
	kprof_tracepoint_end();
}
NOKPROBE_SYMBOL(on_tracepoint);

/* The sixth argument may be passed on the stack. */
static noinline void on_many_arguments(void *data, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	const u64 arg[KPROF_NR_ARGS] = { a, b, c, d, e, f };
	struct kprof_tap *tap = data;

	kprof_tracepoint_begin();
	if (READ_ONCE(kprof_running))
		pass_any(tap, arg, (unsigned long)__builtin_return_address(0));
	kprof_tracepoint_end();
}
NOKPROBE_SYMBOL(on_many_arguments);

/**
 * kprof_tap_probe() - the probe for a tracepoint
 * @nr_args:	number of its arguments
 *
 * Context: any. Return: the probe.
 */
void *kprof_tap_probe(u32 nr_args)
{
	return nr_args < KPROF_NR_ARGS ? (void *)on_tracepoint : (void *)on_many_arguments;
}

static bool are_plain(const struct kprof_point *point)
{
	for (; point; point = point->next)
		if (!point->plain)
			return false;
	return true;
}

/* Is there, at a tracepoint of the scheduler, a point of the task that is an argument of it? */
static bool is_of_task(const struct kprof_point *point, u8 role, u8 arg)
{
	return point && point->plain == role && point->task_arg == arg + 1;
}

static u8 shape_of(const struct kprof_point *first)
{
	const struct kprof_point *second = first ? first->next : NULL;

	if (!are_plain(first))
		return KPROF_TAP_ANY;
	if (is_of_task(first, KPROF_POINT_BEGIN, 0) && !second && first->is_wakeup &&
	    !first->is_selective)
		return KPROF_TAP_WAKEUP;
	if (is_of_task(first, KPROF_POINT_BEGIN, 1) && is_of_task(second, KPROF_POINT_END, 2) &&
	    !second->next && !second->is_selective)
		return KPROF_TAP_SWITCH;
	return KPROF_TAP_PLAIN;
}

/**
 * kprof_tap_form() - find the way for the points of a tracepoint, which have changed
 * @tap:	the tracepoint
 *
 * Whoever sees a shape that has @begin and @end sees them, or those that come after them, at the
 * same places of the same tracepoint. They stay what they are until synchronize_rcu().
 *
 * Context: the lock of tracepoints.c is held.
 */
void kprof_tap_form(struct kprof_tap *tap)
{
	const u8 shape = shape_of(tap->first);

	if (shape == KPROF_TAP_WAKEUP || shape == KPROF_TAP_SWITCH) {
		WRITE_ONCE(tap->begin, tap->first);
		WRITE_ONCE(tap->end, tap->first->next);
	}
	smp_store_release(&tap->shape, shape);	/* after what it needs, which is above */
}
