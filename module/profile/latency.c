// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency.c - how long the calls of a target took
 */
#include <linux/string.h>

#include "profile/latency.h"

/**
 * kprof_latency_sum_begin() - start adding up the latencies seen by all CPUs
 * @sum:	where the sum goes
 *
 * Context: any.
 */
void kprof_latency_sum_begin(struct kprof_latency_sum *sum)
{
	memset(sum, 0, sizeof(*sum));
	sum->min = U64_MAX;
}

/**
 * kprof_latency_sum_add() - add the latencies seen by one CPU
 * @sum:	set up by kprof_latency_sum_begin()
 * @one:	the CPU's latencies
 *
 * Calls that return meanwhile may be in some of the sums and not yet in others.
 * @calls is the sum of the buckets, so that percentiles and the drawn histogram agree.
 *
 * Context: any.
 */
void kprof_latency_sum_add(struct kprof_latency_sum *sum, const struct kprof_latency *one)
{
	u64 n, min;
	int i;

	for (i = 0; i < KPROF_HIST_BUCKETS; i++) {
		n = local64_read(&one->bucket[i]);
		sum->bucket[i] += n;
		sum->calls += n;
	}
	sum->total += local64_read(&one->total);
	sum->others += local64_read(&one->others);
	sum->max = max(sum->max, READ_ONCE(one->max));
	min = READ_ONCE(one->min);
	if (min)
		sum->min = min(sum->min, ~min);
}

/**
 * kprof_latency_sum_end() - finish a sum
 * @sum:	the sum
 *
 * Context: any.
 */
void kprof_latency_sum_end(struct kprof_latency_sum *sum)
{
	/* There is no minimum without calls, nor while the first call is just being added. */
	sum->min = min(sum->min, sum->max);
}
