// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency.c - how long the calls of a target took
 */
#include <linux/string.h>

#include "profile/latency.h"

/**
 * kprof_latency_sum_begin() - begin to add up what the CPUs saw
 * @sum:	where it goes
 *
 * Context: any.
 */
void kprof_latency_sum_begin(struct kprof_latency_sum *sum)
{
	memset(sum, 0, sizeof(*sum));
	sum->min = U64_MAX;
}

/**
 * kprof_latency_sum_add() - add what one CPU saw
 * @sum:	on which kprof_latency_sum_begin() was called
 * @one:	the CPU's
 *
 * Calls that return meanwhile may be in some of the sums and not yet in others;
 * @calls is the sum of the buckets, so that percentiles and drawing agree.
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
 * kprof_latency_sum_end() - all CPUs are added
 * @sum:	the sum
 *
 * Context: any.
 */
void kprof_latency_sum_end(struct kprof_latency_sum *sum)
{
	/* No call has a shortest; a first one that is just being added neither. */
	sum->min = min(sum->min, sum->max);
}
