// SPDX-License-Identifier: GPL-2.0-only
/*
 * histogram.c - percentiles of a log-linear histogram
 */
#include <linux/math64.h>

#include "profile/histogram.h"

/**
 * kprof_hist_percentile() - the value below which a given share of all values lies
 * @count:	KPROF_HIST_BUCKETS counts
 * @total:	their sum
 * @percent:	the share, 1 to 100
 * @min:	the smallest value seen
 * @max:	the largest value seen
 *
 * Interpolates linearly inside the bucket. The result is clamped to @min and @max.
 *
 * Context: any. Return: the value; 0 if there are no values.
 */
u64 kprof_hist_percentile(const u64 *count, u64 total, u32 percent, u64 min, u64 max)
{
	/* The rank is rounded up: the median of one value is that value. */
	u64 rank = div64_u64(total, 100) * percent +
		   div64_u64((total % 100) * percent + 99, 100);
	u64 below = 0, low, high;
	u32 i;

	for (i = 0; i < KPROF_HIST_BUCKETS && total; i++) {
		if (below + count[i] < rank) {
			below += count[i];
			continue;
		}
		low = kprof_hist_low(i);
		high = kprof_hist_low(i + 1);
		low += mul_u64_u64_div_u64(high - low, rank - below, count[i]);
		return clamp(low, min, max);
	}
	return 0;
}
