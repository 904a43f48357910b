// SPDX-License-Identifier: GPL-2.0-only
/*
 * calibrate.c - what watching a call costs, on this machine
 *
 * A function that does nothing is called with a probe and without. It is watched
 * as any target is, but it is no source and takes no samples: of what is measured
 * here nothing gets into the profile.
 */
#include <linux/preempt.h>
#include <linux/string.h>

#include "calibrate.h"
#include "clock.h"
#include "session.h"
#include "target.h"

/* Of several batches the fastest is the one that no interrupt was in. */
#define BATCHES		16
#define CALLS		16

/* No more than one call of it is under way. */
#define MAXACTIVE	2

struct kprof_cost kprof_direct_cost, kprof_call_cost;

static struct kprof_target probed;
static u64 bare;	/* ticks of a batch without a probe */

static u64 measure(void)
{
	u64 best = U64_MAX, start;
	u32 i, j;

	for (i = 0; i < BATCHES; i++) {
		preempt_disable();
		start = kprof_clock();
		for (j = 0; j < CALLS; j++)
			kprof_probed();
		best = min(best, kprof_clock() - start);
		preempt_enable();
	}
	return best;
}

/* Where not every call was seen, the probe is not on it, or something is in its way. */
static struct kprof_cost measure_probe(void)
{
	static struct kprof_latency_sum sum;	/* too large for the stack */
	u64 ticks;
	int cpu;

	kprof_target_clear(&probed);
	ticks = measure();
	kprof_latency_sum_begin(&sum);
	for_each_possible_cpu(cpu)
		kprof_latency_sum_add(&sum, &per_cpu_ptr(probed.cpu, cpu)->latency);
	kprof_latency_sum_end(&sum);
	return (struct kprof_cost) {
		.cost_ns = div_u64(kprof_clock_ns(bare, ticks), CALLS),
		.seen_ns = sum.min,
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
	cost = measure_probe();
	kprof_target_unregister(&target, 1);
	probed.probe = kind;
	return cost;
}

/**
 * kprof_calibrate_target() - the function that is watched for this
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
 *
 * Context: sleeps; kprof_mutex is held, kprof runs, and the trampoline is on no
 * function.
 */
void kprof_calibrate_begin(bool calls)
{
	bool by_ftrace;

	kprof_direct_cost.is_known = false;
	kprof_call_cost.is_known = false;
	if (!probed.address) {
		if (kprof_target_locate(&probed, 0, (unsigned long)kprof_probed, &by_ftrace))
			return;
		probed.probe = by_ftrace ? KPROF_PROBE_DIRECT : KPROF_PROBE_NONE;
		probed.is_plain = true;
	}
	bare = measure();
	if (calls)
		kprof_call_cost = measure_kretprobe();
}

/**
 * kprof_calibrate_end() - measure the trampoline, if it is in use
 *
 * Context: as kprof_calibrate_begin(), but that the trampoline is where it is to be.
 */
void kprof_calibrate_end(void)
{
	if (probed.address)
		kprof_direct_cost = measure_probe();
}

/**
 * kprof_calibrate_exit() - give back what was taken to measure
 *
 * Context: sleeps; kprof_mutex is held, and kprof is stopped.
 */
void kprof_calibrate_exit(void)
{
	struct kprof_target *target = &probed;

	kprof_target_unregister(&target, 1);
	free_percpu(probed.cpu);
	memset(&probed, 0, sizeof(probed));
}
