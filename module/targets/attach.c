// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach.c - attaches the trampoline to targets
 */
#include <linux/kernel.h>
#include <linux/list.h>

#include "base/state.h"
#include "calls/calls.h"
#include "points/points.h"
#include "targets/attach.h"
#include "targets/calibrate.h"
#include "targets/probe.h"
#include "trampoline/trampoline.h"

/**
 * kprof_targets_classify() - update what depends on the configuration and the set of targets
 *
 * Context: kprof_mutex is held, and nothing is attached.
 */
void kprof_targets_classify(void)
{
	const bool plain = !kprof_config->record && !(kprof_config->filters & KPROF_FILTER_TASKS);
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node) {
		target->is_plain = plain && target->keys.only_arguments &&
				   (!target->keys.nr_keys || target->probe == KPROF_PROBE_DIRECT);
		target->is_short = target->is_plain;
	}
}

/* Do calls of some target take the long way through the trampoline? */
static bool is_way_long(void)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (target->probe == KPROF_PROBE_DIRECT && !target->is_short)
			return true;
	return false;
}

static bool has_probes(enum kprof_probe_kind kind)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (target->probe == kind)
			return true;
	return false;
}

/* To be done before ftrace patches the places of targets: see kprof_target_settle(). */
static void settle(void)
{
	struct kprof_target *chosen[KPROF_UNREGISTER_BATCH], *target;
	u32 nr = 0;

	chosen[nr++] = kprof_calibrate_target();
	list_for_each_entry(target, kprof_targets(), node) {
		if (nr == ARRAY_SIZE(chosen)) {
			kprof_target_settle(chosen, nr);
			nr = 0;
		}
		if (target->place.addr)
			chosen[nr++] = target;
	}
	kprof_target_settle(chosen, nr);
}

/**
 * kprof_targets_any() - is any function watched
 *
 * Context: kprof_mutex is held. Return: whether one is.
 */
bool kprof_targets_any(void)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (target->probe != KPROF_PROBE_NONE)
			return true;
	return false;
}

/* Attach the trampoline where it is wanted, and measure what probes cost, before and after. */
static int attach(void)
{
	int err;

	if (!kprof_targets_any())
		return 0;
	err = kprof_tracer_hold(KPROF_TRACER_TARGETS);
	if (err)
		return err;
	kprof_calibrate_begin(has_probes(KPROF_PROBE_CALL), has_probes(KPROF_PROBE_ENTRY));
	settle();
	err = kprof_direct_attach(kprof_calibrate_target());
	if (!err)
		kprof_calibrate_end(is_way_long());
	return err;
}

/**
 * kprof_targets_attach() - attach the trampoline to all targets that should have it
 *
 * A function that already has somebody else's trampoline, such as a BPF program's,
 * gets a kretprobe instead.
 *
 * Context: sleeps; kprof_mutex is held, and nothing is attached. Return: 0 or an errno.
 */
int kprof_targets_attach(void)
{
	struct kprof_target *target;
	int err = attach();

	if (err != -EBUSY)
		return err;
	list_for_each_entry(target, kprof_targets(), node) {
		if (target->probe != KPROF_PROBE_DIRECT || !kprof_direct_is_busy(target))
			continue;
		target->why_call = "another trampoline is on it";
		pr_info("target=%s: %s: taken by kretprobe\n", target->source.name,
			target->why_call);
		err = kprof_target_fall_back(target, kprof_is_on(), kprof_config->maxactive);
		if (err)
			return err;
	}
	kprof_targets_classify();
	return attach();
}

/**
 * kprof_targets_attach_again() - attach after a change of targets, if sampling runs
 *
 * Context: as kprof_targets_attach(). Return: 0 or an errno.
 */
int kprof_targets_attach_again(void)
{
	if (!kprof_is_on())
		return 0;
	kprof_targets_classify();
	return kprof_targets_attach();
}

/**
 * kprof_targets_restore() - attach again, and log an error, which the caller does not return
 *
 * Context: as kprof_targets_attach().
 */
void kprof_targets_restore(void)
{
	int err = kprof_targets_attach_again();

	if (err)
		pr_err("error %d: what the trampoline watched is not watched any more; write 0 and 1 to enable\n",
		       err);
}
