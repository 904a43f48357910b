// SPDX-License-Identifier: GPL-2.0-only
/*
 * points.c - the points of a target: attaches to them, and calls pass.h from probes of functions
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "base/error.h"
#include "base/state.h"
#include "calls/calls.h"
#include "compat.h"
#include "points/point.h"
#include "points/points.h"
#include "points/presets.h"
#include "points/throttle.h"
#include "stacks/stacks.h"

static int on_place(struct kprobe *probe, struct pt_regs *regs)
{
	struct kprof_point *point = container_of(probe, struct kprof_point, entry);
	unsigned long ip = instruction_pointer(regs);
	u64 arg[KPROF_NR_ARGS] __uninitialized;
	struct kprof_entry at = {
		.arg = arg, .own = kprof_probe_context(probe, regs), .regs = regs,
	};

	if (!READ_ONCE(kprof_running) || kprof_call_is_unsafe(point->target))
		return 0;
	/* The caller of an inlined function is the function that it is inlined in. */
	at.caller = point->is_inlined ? point->address : kprof_caller(regs);
	kprof_read_arguments(regs, arg);
	/* The unwinder must see the probed address, not that after the probe's own instruction. */
	instruction_pointer_set(regs, (unsigned long)probe->addr);
	kprof_point_pass(point, &at);
	instruction_pointer_set(regs, ip);
	return 0;
}
NOKPROBE_SYMBOL(on_place);

static int on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *probe = get_kretprobe(instance);
	struct kprof_point *point = container_of(probe, struct kprof_point, call);
	static const u64 none[KPROF_NR_ARGS];
	struct kprof_entry at = {
		.arg = none, .retval = regs_return_value(regs), .regs = regs,
		.caller = instruction_pointer(regs),
	};

	if (probe && READ_ONCE(kprof_running) && !kprof_call_is_unsafe(point->target))
		kprof_point_pass(point, &at);
	return 0;
}
NOKPROBE_SYMBOL(on_return);

/**
 * kprof_points_is_spec() - does a name mean points, rather than a function
 * @name:	a target without its options
 *
 * Context: any. Return: whether it does.
 */
bool kprof_points_is_spec(const char *name)
{
	if (kprof_preset_is(name))
		return !kprof_preset_function(name);
	return strstarts(name, "tp:") || *name == '/' || strpbrk(name, "(%|") || strstr(name, "..");
}

static int attach(struct kprof_point *point)
{
	int err;

	if (point->is_attached || point->is_lost)
		return 0;
	switch (point->kind) {
	case KPROF_PLACE_TRACEPOINT:
		return kprof_tracepoint_attach(point);
	case KPROF_PLACE_UPROBE:
	case KPROF_PLACE_URETURN:
		return kprof_uprobe_attach(point);
	case KPROF_PLACE_LATE:
		kprof_late_attach(point);
		return 0;
	case KPROF_PLACE_ADDRESS:
		point->entry = (struct kprobe) {
			.addr = (kprobe_opcode_t *)point->address, .pre_handler = on_place,
		};
		err = register_kprobe(&point->entry);
		break;
	default:
		point->call = (struct kretprobe) {
			.kp.addr = (kprobe_opcode_t *)point->address, .handler = on_return,
			.maxactive = kprof_config->maxactive,
		};
		err = register_kretprobe(&point->call);
	}
	point->is_attached = !err;
	return err;
}

/* Times that the kernel could not call a probe: another one was active, or too many were. */
static u64 missed_by(const struct kprof_point *point)
{
	if (point->kind == KPROF_PLACE_ADDRESS)
		return point->entry.nmissed;
	return point->kind == KPROF_PLACE_RETURN ? point->call.nmissed + point->call.kp.nmissed : 0;
}

/**
 * kprof_points_missed() - number of times that points were passed without being seen
 * @target:	any target
 *
 * Context: kprof_mutex is held. Return: the number since the target was added.
 */
u64 kprof_points_missed(const struct kprof_target *target)
{
	u64 missed = target->probes_missed;
	u32 i;

	for (i = 0; target->points && i < target->points->nr; i++)
		if (target->points->point[i].is_attached)
			missed += missed_by(&target->points->point[i]);
	return missed;
}

/**
 * kprof_points_nr_files() - number of different paths of programs and libraries
 * @target:	any target
 *
 * Context: kprof_mutex is held. Return: the number.
 */
u32 kprof_points_nr_files(const struct kprof_target *target)
{
	u32 i, nr = 0;

	for (i = 0; target->points && i < target->points->nr; i++)
		if (kprof_point_is_user(&target->points->point[i]))
			nr = max(nr, kprof_uprobe_file_number(&target->points->point[i]) + 1);
	return nr;
}

/**
 * kprof_points_are_of() - are the ids in conditions of points of a PID namespace
 * @target:	any target
 * @pid_namespace: the number of the namespace
 *
 * Context: kprof_mutex is held. Return: whether all are, if there are any.
 */
bool kprof_points_are_of(const struct kprof_target *target, u32 pid_namespace)
{
	const struct kprof_point_keys *keys;
	u32 i;

	for (i = 0; target->points && i < target->points->nr; i++) {
		keys = &target->points->point[i].keys;
		if (!kprof_conditions_are_of(keys->condition, keys->nr_conditions, pid_namespace))
			return false;
	}
	return true;
}

/* Was the module of this point unloaded? */
static bool is_gone(const struct kprof_point *point)
{
	const struct kprobe *probe = &point->entry;

	if (point->kind == KPROF_PLACE_TRACEPOINT || point->kind == KPROF_PLACE_LATE ||
	    kprof_point_is_user(point) || !point->is_attached)
		return point->is_lost;
	if (point->kind == KPROF_PLACE_RETURN)
		probe = &point->call.kp;
	return probe->flags & KPROBE_FLAG_GONE;
}

static void detach_probes(struct kprof_point **point, u32 nr)
{
	struct kprobe *probe[KPROF_UNREGISTER_BATCH];
	struct kretprobe *call[KPROF_UNREGISTER_BATCH];
	u32 i, probes = 0, calls = 0;

	for (i = 0; i < nr; i++) {
		if (point[i]->kind == KPROF_PLACE_ADDRESS)
			probe[probes++] = &point[i]->entry;
		else
			call[calls++] = &point[i]->call;
	}
	unregister_kprobes(probe, probes);
	unregister_kretprobes(call, calls);
	for (i = 0; i < nr; i++) {
		/* Its own count restarts at 0 when it is registered again. */
		point[i]->target->probes_missed += missed_by(point[i]);
		point[i]->is_lost |= is_gone(point[i]);
		point[i]->is_attached = false;
	}
}

static struct kprof_target *detach_uprobe(struct kprof_point *point)
{
	kprof_uprobe_detach(point);
	return point->target;
}

/* Detaches many probes at once, as most of the time is spent on waiting. */
static void detach(struct kprof_points *points)
{
	struct kprof_point *point, *chosen[KPROF_UNREGISTER_BATCH];
	struct kprof_target *target = NULL;
	u32 nr = 0;

	for (point = points->point; point < points->point + points->nr; point++) {
		if (point->kind == KPROF_PLACE_TRACEPOINT)
			kprof_tracepoint_detach(point);
		else if (point->kind == KPROF_PLACE_LATE)
			kprof_late_detach(point);
		else if (kprof_point_is_user(point) && point->is_attached)
			target = detach_uprobe(point);
		else if (point->is_attached)
			chosen[nr++] = point;
		if (nr == ARRAY_SIZE(chosen)) {
			detach_probes(chosen, nr);
			nr = 0;
		}
	}
	detach_probes(chosen, nr);
	if (!target)
		return;
	kprof_uprobe_sync();
	if (!points->is_call)
		return;
	/* Wait for the tracepoint, too, where tasks end that leave calls open. */
	synchronize_rcu();
	/* A call that began before is not seen to return, even if it is watched again. */
	kprof_span_forget(target);
}

/**
 * kprof_points_is_span() - is a target a span between points
 * @points:	points of the target
 *
 * Context: any. Return: whether something begins and ends there, and takes time.
 */
bool kprof_points_is_span(const struct kprof_points *points)
{
	return points->nr && (points->point[0].role == KPROF_POINT_BEGIN ||
			      points->point[0].role == KPROF_POINT_WHOLE);
}

/**
 * kprof_points_enable() - attach to the points of a target, or detach
 * @target:	a target with points
 * @enable:	whether to attach
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno.
 */
int kprof_points_enable(struct kprof_target *target, bool enable)
{
	struct kprof_points *points = target->points;
	struct kprof_point *point;
	int err;

	if (!enable) {
		detach(points);
		if (points->is_throttle_watched)
			kprof_throttle_unwatch();
		points->is_throttle_watched = false;
		return 0;
	}
	if (kprof_points_is_span(points) && kprof_spans_prepare())
		return -ENOMEM;
	for (point = points->point; point < points->point + points->nr; point++) {
		/* This depends on parameters of the session, which may have changed. */
		kprof_point_prepare(point);
		err = attach(point);
		if (err)
			return err;
	}
	if (points->is_split && !points->is_throttle_watched)
		kprof_throttle_watch();
	points->is_throttle_watched = points->is_split;
	return 0;
}

/**
 * kprof_points_alloc() - allocate the points of a target
 * @target:	a target that is not watched
 * @name:	the target as it was written
 * @room:	number of points
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -ENOMEM, and kprof_refuse() has the
 * reason.
 */
int kprof_points_alloc(struct kprof_target *target, const char *name, u32 room)
{
	target->points = kvzalloc(struct_size(target->points, point, room), GFP_KERNEL);
	if (!target->points)
		return kprof_refuse(-ENOMEM, "target", name, "no memory for its points");
	target->points->room = room;
	return 0;
}

/**
 * kprof_points_finish() - complete a target whose points are known
 * @target:	a target that is not watched; its points and options are set
 * @name:	the target as it was written
 *
 * Context: as kprof_points_register(). Return: as that does.
 */
int kprof_points_finish(struct kprof_target *target, const char *name)
{
	const bool is_span = kprof_points_is_span(target->points);
	int err = kprof_points_check(target, name);

	if (err)
		return err;
	target->is_span = is_span;
	if (is_span && kprof_spans_prepare())
		return kprof_refuse(-ENOMEM, "target", name,
				    "no memory for %u open spans; give less of max_open",
				    kprof_config->max_open);
	kprof_points_keep(target->points);
	target->probe = is_span ? KPROF_PROBE_SPAN : KPROF_PROBE_POINT;
	return 0;
}

/**
 * kprof_points_register() - set up a target that is given by points
 * @target:	a target that is not watched; its options are set
 * @spec:	the target as it was written, without options
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_points_register(struct kprof_target *target, const char *spec)
{
	char points[KPROF_PRESET_MAX];
	int err = kprof_points_alloc(target, spec, KPROF_MAX_POINTS);

	if (!err && kprof_preset_is(spec)) {
		err = kprof_preset_points(spec, points, sizeof(points));
		spec = points;
	}
	if (!err)
		err = kprof_points_parse(target, spec);
	if (!err)
		err = kprof_points_finish(target, spec);
	if (err)
		kprof_points_unregister(target);
	return err;
}

/**
 * kprof_points_unregister() - stop watching the points of a target
 * @target:	any target; what was seen of it stays
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_points_unregister(struct kprof_target *target)
{
	u32 i;

	if (!target->points)
		return;
	kprof_points_enable(target, false);
	kprof_points_release(target->points);
	/* Wait for those that are at one of the points, as they go on to the next. */
	synchronize_rcu();
	kprof_span_forget(target);
	for (i = 0; i < target->points->nr; i++)
		kprof_uprobe_forget(&target->points->point[i]);
	kvfree(target->points);
	target->points = NULL;
}

/**
 * kprof_points_lost() - was the module of one of a target's points unloaded
 * @target:	any target
 *
 * Context: kprof_mutex is held. Return: whether it was.
 */
bool kprof_points_lost(const struct kprof_target *target)
{
	u32 i;

	for (i = 0; target->points && i < target->points->nr; i++)
		if (is_gone(&target->points->point[i]))
			return true;
	return false;
}
