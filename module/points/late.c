// SPDX-License-Identifier: GPL-2.0-only
/*
 * late.c - the point "timer:late": the sampling timer was held up, as interrupts were off
 *
 * The timer expires in each period. If it comes more than a period late, interrupts were off from
 * its expiry or earlier, until they were enabled where it has come now. So they were off for as
 * long as it is late, or up to a period longer. That time is known where it ends: it begins and
 * ends in one go, and is never among the open spans.
 */
#include <linux/hardirq.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "base/ids.h"
#include "calls/calls.h"
#include "points/pass.h"
#include "points/point.h"
#include "sources/sources.h"

/* The points, one for each target that has one. Changed with kprof_mutex held. */
static struct kprof_point *first;

static void count(const struct kprof_point *point, const struct kprof_entry *at, u64 ns)
{
	struct kprof_call call __uninitialized;	/* kprof_span_open() sets it */

	if (kprof_point_is_idle(point, at))
		this_cpu_inc(point->target->cpu->idle);
	else if (kprof_call_is_wanted(point->target, at->task, at->own) &&
		 kprof_span_open(point, at, KPROF_BY_PROBE, &call))
		kprof_span_close(point, at, KPROF_BY_PROBE, &call, ns);
}

/* In the timer's interrupt; @regs are of what it has interrupted. */
static void on_late(struct pt_regs *regs, u64 ns)
{
	const u64 arg[KPROF_NR_ARGS] = { ns };
	struct kprof_entry at = {
		.arg = arg, .regs = regs, .own = HARDIRQ_OFFSET, .task = current,
		.pid = kprof_id_of(current), .state = KPROF_STATE_WOKEN,
		.caller = instruction_pointer(regs),
	};
	struct kprof_point *point;

	for (point = READ_ONCE(first); point; point = READ_ONCE(point->next))
		if (!point->keys.nr_conditions || kprof_point_all_hold(point, &at))
			count(point, &at, ns);
}
NOKPROBE_SYMBOL(on_late);

static bool has_timer(void)
{
	u32 i;

	for (i = 0; i < kprof_config->nr_events; i++)
		if (kprof_config->event[i].lead.ops == &kprof_timer_ops)
			return true;
	return false;
}

/**
 * kprof_late_attach() - watch the timer for coming late
 * @point:	its place is KPROF_PLACE_LATE, and it is not attached
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_late_attach(struct kprof_point *point)
{
	point->next = first;
	smp_store_release(&first, point);	/* whoever sees the point sees all of it */
	point->is_attached = true;
	kprof_sources_tell_late(on_late);
	if (!has_timer())
		pr_warn("%s sees nothing: the timer, which would come late, is not among the events; give freq=, or event=timer\n",
			point->target->source.name);
}

/**
 * kprof_late_detach() - undo kprof_late_attach()
 * @point:	any point at that place; a CPU may still be at it until synchronize_rcu()
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_late_detach(struct kprof_point *point)
{
	if (!point->is_attached)
		return;
	kprof_point_unlink(&first, point);
	if (!first)
		kprof_sources_tell_late(NULL);
}
