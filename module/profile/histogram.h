/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * histogram.h - a log-linear histogram: each power of two has four equal steps
 *
 * Its resolution, a quarter of a power of two, is what percentiles need. It is shown
 * by powers of two. The unit tests compile this for the host, too.
 */
#ifndef KPROF_HISTOGRAM_H
#define KPROF_HISTOGRAM_H

#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define KPROF_HIST_STEPS_LOG2	2
#define KPROF_HIST_STEPS	(1 << KPROF_HIST_STEPS_LOG2)
/* Up to 2^42 ns, which is 73 minutes; longer times share the last bucket. */
#define KPROF_HIST_OCTAVES	41
#define KPROF_HIST_BUCKETS	(KPROF_HIST_OCTAVES * KPROF_HIST_STEPS)

/**
 * kprof_hist_bucket() - the bucket of a value
 * @value:	any value
 *
 * Values below KPROF_HIST_STEPS have one bucket each.
 *
 * Context: any. Return: an index below KPROF_HIST_BUCKETS.
 */
static __always_inline u32 kprof_hist_bucket(u64 value)
{
	/*
	 * Clamp to the first octave, which has a bucket for each value. The compiler knows the
	 * range of the builtin, unlike that of __fls(): for short times it drops the check below.
	 */
	u32 octave = 63 - KPROF_HIST_STEPS_LOG2 - __builtin_clzll(value | KPROF_HIST_STEPS);

	if (unlikely(octave >= KPROF_HIST_OCTAVES - 1))
		return KPROF_HIST_BUCKETS - 1;
	return (octave << KPROF_HIST_STEPS_LOG2) + (value >> octave);
}

/**
 * kprof_hist_low() - the smallest value of a bucket
 * @bucket:	an index, or KPROF_HIST_BUCKETS for the end of the last bucket
 *
 * Context: any. Return: the value.
 */
static inline u64 kprof_hist_low(u32 bucket)
{
	u32 octave;

	if (bucket < 2 * KPROF_HIST_STEPS)
		return bucket;
	octave = (bucket >> KPROF_HIST_STEPS_LOG2) - 1;
	return (u64)(KPROF_HIST_STEPS + bucket % KPROF_HIST_STEPS) << octave;
}

u64 kprof_hist_percentile(const u64 *count, u64 total, u32 percent, u64 min, u64 max);
u64 kprof_hist_narrow(u64 value, u64 total, u32 percent, u64 min, u64 max, u64 sum);

#endif /* KPROF_HISTOGRAM_H */
