/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency.h - how long the calls of a target took
 */
#ifndef KPROF_LATENCY_H
#define KPROF_LATENCY_H

#include <asm/local64.h>
#include <linux/atomic.h>
#include <linux/types.h>

#include "profile/histogram.h"

/**
 * struct kprof_latency - the calls that returned on one CPU
 * @total:	sum of their latencies; this and all below in nanoseconds
 * @others:	the part of it spent in watched calls inside them
 * @min:	complement of the shortest latency; 0 if there was no call
 * @max:	the longest latency
 * @bucket:	number of calls in each bucket of histogram.h
 * @value:	for a row by context that has been looked for: the values of its keys
 */
struct kprof_latency {
	local64_t total;
	local64_t others;
	u64 min;
	u64 max;
	local64_t bucket[KPROF_HIST_BUCKETS];
	const u64 *value;
};

/* The same, summed over CPUs. */
struct kprof_latency_sum {
	u64 calls;
	u64 total;
	u64 others;
	u64 min;
	u64 max;
	u64 bucket[KPROF_HIST_BUCKETS];
};

/* If an interrupt has set a more extreme value, retry rather than overwrite it. */
static __always_inline void kprof_raise(u64 *most, u64 value)
{
	u64 seen;

	do {
		seen = READ_ONCE(*most);
	} while (value > seen && cmpxchg_local(most, seen, value) != seen);
}

/**
 * kprof_latency_add() - account for a call that has returned
 * @latency:	belongs to the CPU this runs on
 * @ns:		how long it took
 * @others:	the part of it spent in watched calls inside it
 *
 * Context: any, NMI included, without migration.
 */
static __always_inline void kprof_latency_add(struct kprof_latency *latency, u64 ns,
					      u64 others)
{
	local64_add(ns, &latency->total);
	if (others)
		local64_add(others, &latency->others);
	local64_inc(&latency->bucket[kprof_hist_bucket(ns)]);
	/* Plain reads need no register. Only this CPU writes, and kprof_raise() reads it again. */
	if (unlikely(ns > latency->max))
		kprof_raise(&latency->max, ns);
	if (unlikely(~ns > latency->min))
		kprof_raise(&latency->min, ~ns);
}

void kprof_latency_sum_begin(struct kprof_latency_sum *sum);
void kprof_latency_sum_add(struct kprof_latency_sum *sum, const struct kprof_latency *one);
void kprof_latency_sum_end(struct kprof_latency_sum *sum);

#endif /* KPROF_LATENCY_H */
