// SPDX-License-Identifier: GPL-2.0-only
/*
 * histogram.c - percentiles of a log-linear histogram
 */
#include <linux/math64.h>
#include <linux/overflow.h>

#include "profile/histogram.h"

/* How many values are at most as large. Rounded up: the median of one value is that value. */
static u64 rank_of(u64 total, u32 percent)
{
	return div64_u64(total, 100) * percent + div64_u64((total % 100) * percent + 99, 100);
}

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
	u64 rank = rank_of(total, percent), below = 0, low, high;
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

/**
 * kprof_hist_narrow() - a percentile within what the sum of all values allows
 * @value:	the percentile, from kprof_hist_percentile()
 * @total:	number of values
 * @percent:	the share, 1 to 100
 * @min:	the smallest value seen
 * @max:	the largest value seen
 * @sum:	of all values
 *
 * A bucket is wide. If half of all values were as large as @value, and the others as @min, their
 * sum may be more than @sum: then the median is less. Likewise for the others being as large as
 * @max. If @sum is not that of the same values, as others are being added, @value is as good.
 *
 * Context: any. Return: the value.
 */
u64 kprof_hist_narrow(u64 value, u64 total, u32 percent, u64 min, u64 max, u64 sum)
{
	u64 rank = rank_of(total, percent), low = min, high = max, others;

	if (!rank)
		return value;
	if (!check_mul_overflow(rank - 1, min, &others) && others <= sum)
		high = min(high, div64_u64(sum - others, total - rank + 1));
	if (!check_mul_overflow(total - rank, max, &others) && others < sum)
		low = max(low, div64_u64(sum - others - 1, rank) + 1);
	return low <= high ? clamp(value, low, high) : value;
}
