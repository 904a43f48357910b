// SPDX-License-Identifier: GPL-2.0-only
/*
 * calibrate.c - measures what watching a call costs on this machine
 *
 * An empty function is called with a probe and without. It is watched like any target,
 * but it is not a source and takes no samples, so nothing that is measured here gets into
 * the profile.
 */
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "base/clock.h"
#include "base/state.h"
#include "calls/calls.h"
#include "points/points.h"
#include "targets/account.h"
#include "targets/calibrate.h"
#include "targets/probe.h"
#include "trampoline/trampoline.h"

/* The fastest of several batches is one that no interrupt disturbed. */
#define BATCHES		16
#define CALLS		16

/* There is never more than one call of it in progress. */
#define MAXACTIVE	2

struct kprof_cost kprof_direct_cost, kprof_long_cost, kprof_call_cost, kprof_place_cost;

static struct kprof_target probed, place;
static u64 bare;	/* ticks of a batch without a probe */

/* A place without ftrace's call, so the kprobe is a breakpoint. kprobes emulate the jump. */
static noinline void jumped(void)
{
#ifdef CONFIG_X86
	asm volatile("jmp 1f\n1:");
#else
	asm volatile("b 1f\n1:");
#endif
}

/* Other instructions are executed out of line, which may take another breakpoint. */
static noinline void stepped(void)
{
	asm volatile("nop");
}

/*
 * The task that starts kprof may be one that own= leaves out. Its calls leave the trampoline by a
 * longer way and are not counted, so there is no own= during a batch. Then other threads of its
 * process are not left out either, for these microseconds. If own= is another process, it stays.
 */
static u64 measure(void (*function)(void))
{
	const pid_t own = kprof_own;
	const pid_t meanwhile = kprof_task_is_own(current) ? -1 : own;
	u64 best = U64_MAX, start;
	u32 i, j;

	for (i = 0; i < BATCHES; i++) {
		preempt_disable();
		WRITE_ONCE(kprof_own, meanwhile);
		start = kprof_clock();
		for (j = 0; j < CALLS; j++)
			function();
		best = min(best, kprof_clock() - start);
		WRITE_ONCE(kprof_own, own);
		preempt_enable();
	}
	return best;
}

/* If not every call was seen, the probe is not attached, or something interferes with it. */
static struct kprof_cost measure_probe(struct kprof_target *target, void (*function)(void))
{
	static struct kprof_latency_sum sum;	/* too large for the stack */
	u64 ticks;
	int cpu;

	kprof_target_clear(target);
	ticks = measure(function);
	kprof_latency_sum_begin(&sum);
	for_each_possible_cpu(cpu)
		kprof_latency_sum_add(&sum, &per_cpu_ptr(target->cpu, cpu)->latency);
	kprof_latency_sum_end(&sum);
	return (struct kprof_cost) {
		.cost_ns = div_u64(kprof_clock_ns(bare, ticks), CALLS),
		.seen_ns = sum.min,
		.high_ns = kprof_hist_percentile(sum.bucket, sum.calls, 90, sum.min,
						 sum.max),
		.is_known = sum.calls == BATCHES * CALLS,
	};
}

static struct kprof_cost measure_kretprobe(void)
{
	struct kprof_target *target = &probed;
	enum kprof_probe_kind kind = probed.probe;
	struct kprof_cost cost = { };

	if (kprof_target_fall_back(&probed, true, MAXACTIVE))
		return cost;
	cost = measure_probe(&probed, kprof_probed);
	kprof_target_unregister(&target, 1);
	probed.probe = kind;
	return cost;
}

/* The handler measures part of the cost itself. The rest is subtracted from calls around it. */
static struct kprof_cost measure_place(void (*function)(void), u64 *ticks)
{
	struct kprof_target *target = &place;
	struct kprof_cost cost = { };
	bool by_ftrace;

	*ticks = 0;
	bare = measure(function);
	if (kprof_target_locate(&place, 0, (unsigned long)function, &by_ftrace) ||
	    kprof_target_pass(&place, true))
		return cost;
	cost = measure_probe(&place, function);
	kprof_target_unregister(&target, 1);
	if (cost.is_known && cost.cost_ns > cost.seen_ns)
		*ticks = div64_u64((cost.cost_ns - cost.seen_ns) << KPROF_CLOCK_SHIFT,
				   kprof_clock_mult);
	cost.seen_ns = 0;
	cost.high_ns = 0;
	return cost;
}

/**
 * kprof_calibrate_target() - the function on which the cost is measured
 *
 * Context: kprof_mutex is held. Return: the target; it is not in the list of targets.
 */
struct kprof_target *kprof_calibrate_target(void)
{
	return &probed;
}

/**
 * kprof_calibrate_begin() - measure what can be measured without the trampoline
 * @calls:	some target has a kretprobe
 * @places:	some target has a kprobe
 *
 * Context: sleeps; kprof_mutex is held, kprof is running, and the trampoline is
 * attached to no function.
 */
void kprof_calibrate_begin(bool calls, bool places)
{
	bool by_ftrace;

	kprof_direct_cost.is_known = false;
	kprof_long_cost.is_known = false;
	kprof_call_cost.is_known = false;
	kprof_place_cost.is_known = false;
	if (places) {
		measure_place(stepped, &kprof_place_ticks[1]);
		kprof_place_cost = measure_place(jumped, &kprof_place_ticks[0]);
	}
	if (!probed.address) {
		if (kprof_target_locate(&probed, 0, (unsigned long)kprof_probed, &by_ftrace))
			return;
		probed.probe = by_ftrace ? KPROF_PROBE_DIRECT : KPROF_PROBE_NONE;
		probed.is_plain = true;
		probed.is_short = true;
	}
	bare = measure(kprof_probed);
	if (calls)
		kprof_call_cost = measure_kretprobe();
}

/**
 * kprof_calibrate_end() - measure the trampoline, if it is used
 * @is_way_long: calls of some target take the long way through it
 *
 * Context: as kprof_calibrate_begin(), but the trampoline is attached.
 */
void kprof_calibrate_end(bool is_way_long)
{
	if (!probed.address)
		return;
	kprof_direct_cost = measure_probe(&probed, kprof_probed);
	if (!is_way_long)
		return;
	kprof_direct_lengthen(&probed, true);
	kprof_long_cost = measure_probe(&probed, kprof_probed);
	kprof_direct_lengthen(&probed, false);
}

/**
 * kprof_calibrate_exit() - free what was allocated to measure
 *
 * Context: sleeps; kprof_mutex is held, and kprof is stopped.
 */
void kprof_calibrate_exit(void)
{
	struct kprof_target *target = &probed;

	kprof_target_unregister(&target, 1);
	free_percpu(probed.cpu);
	free_percpu(place.cpu);
	memset(&probed, 0, sizeof(probed));
	memset(&place, 0, sizeof(place));
}
