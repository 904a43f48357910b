// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_histogram.c - buckets are exact to a quarter of a power of two, and
 * percentiles are those that sorting all values would give, to a bucket
 */
#include <stdlib.h>

#include "unit.h"
#include "profile/histogram.c"

static u64 count[KPROF_HIST_BUCKETS];

static int compare(const void *a, const void *b)
{
	const u64 *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

/* Sorts the values and counts them. */
static void count_values(u64 *value, u32 nr)
{
	u32 i;

	qsort(value, nr, sizeof(*value), compare);
	memset(count, 0, sizeof(count));
	for (i = 0; i < nr; i++)
		count[kprof_hist_bucket(value[i])]++;
}

/* How many values are less than the one of that percentile, at most. */
static u64 got_rank(u64 nr, u32 percent)
{
	return (nr * percent + 99) / 100 - 1;
}

/* Every percentile is in the bucket of the value of that rank, and none falls. */
static void check_percentiles(u64 *value, u32 nr)
{
	u64 got, exact, before = 0, narrow, narrow_before = 0, sum = 0;
	u32 percent, bucket, i;
	bool fits = true;

	count_values(value, nr);
	for (i = 0; i < nr; i++)
		fits &= !check_add_overflow(sum, value[i], &sum);
	for (percent = 1; percent <= 100; percent++) {
		exact = value[((u64)nr * percent + 99) / 100 - 1];
		bucket = kprof_hist_bucket(exact);
		got = kprof_hist_percentile(count, nr, percent, value[0], value[nr - 1]);
		CHECK(got >= kprof_hist_low(bucket) || got == value[nr - 1]);
		CHECK(got <= kprof_hist_low(bucket + 1) || bucket == KPROF_HIST_BUCKETS - 1);
		CHECK(got >= value[0] && got <= value[nr - 1]);
		CHECK(got >= before);
		before = got;
		if (!fits)
			continue;
		narrow = kprof_hist_narrow(got, nr, percent, value[0], value[nr - 1], sum);
		CHECK(narrow >= kprof_hist_low(bucket) || narrow == value[nr - 1]);
		CHECK(narrow <= kprof_hist_low(bucket + 1) || bucket == KPROF_HIST_BUCKETS - 1);
		CHECK(narrow >= value[0] && narrow <= value[nr - 1]);
		CHECK(narrow >= narrow_before);
		CHECK((nr - got_rank(nr, percent)) * (narrow - value[0]) <= sum - nr * value[0]);
		narrow_before = narrow;
	}
	CHECK_INT(before, min_t(u64, value[nr - 1], kprof_hist_low(KPROF_HIST_BUCKETS)));
}

static void test_inverse(void)
{
	u32 i;

	CHECK_INT(kprof_hist_low(0), 0);
	for (i = 0; i < KPROF_HIST_BUCKETS; i++) {
		CHECK(kprof_hist_low(i) < kprof_hist_low(i + 1));
		CHECK_INT(kprof_hist_bucket(kprof_hist_low(i)), i);
		CHECK_INT(kprof_hist_bucket(kprof_hist_low(i + 1) - 1), i);
	}
}

/* In a bucket of its own, or in one no wider than a quarter of where it begins. */
static void check_value(u64 value)
{
	u32 bucket = kprof_hist_bucket(value);
	u64 low = kprof_hist_low(bucket), high = kprof_hist_low(bucket + 1);

	CHECK(bucket < KPROF_HIST_BUCKETS);
	CHECK(value >= low);
	if (bucket == KPROF_HIST_BUCKETS - 1)
		return;
	CHECK(value < high);
	CHECK(high - low == 1 || KPROF_HIST_STEPS * (high - low) <= low);
}

static void test_every_value(void)
{
	u64 value;
	int shift, near;

	for (value = 0; value < 1 << 18; value++)
		check_value(value);
	for (shift = 3; shift < 64; shift++)
		for (near = -300; near <= 300; near++)
			check_value((1ULL << shift) + near);
}

static void test_known_buckets(void)
{
	CHECK_INT(kprof_hist_bucket(0), 0);
	CHECK_INT(kprof_hist_bucket(7), 7);
	CHECK_INT(kprof_hist_bucket(8), kprof_hist_bucket(9));
	CHECK_INT(kprof_hist_bucket(10), kprof_hist_bucket(9) + 1);
	CHECK_INT(kprof_hist_low(kprof_hist_bucket(1000)), 896);
	CHECK_INT(kprof_hist_low(kprof_hist_bucket(1024)), 1024);
}

static void test_last_bucket(void)
{
	CHECK_INT(kprof_hist_low(KPROF_HIST_BUCKETS), 1ULL << 42);
	CHECK_INT(kprof_hist_bucket((1ULL << 42) - 1), KPROF_HIST_BUCKETS - 1);
	CHECK_INT(kprof_hist_bucket(1ULL << 42), KPROF_HIST_BUCKETS - 1);
	CHECK_INT(kprof_hist_bucket(U64_MAX), KPROF_HIST_BUCKETS - 1);
}

static void test_none(void)
{
	memset(count, 0, sizeof(count));
	CHECK_INT(kprof_hist_percentile(count, 0, 50, 0, 0), 0);
}

static void test_constant(void)
{
	static const u64 constants[] = { 0, 1, 3, 4, 900, 1000, 1ULL << 50, U64_MAX };
	u32 i, percent;

	for (i = 0; i < sizeof(constants) / sizeof(*constants); i++) {
		memset(count, 0, sizeof(count));
		count[kprof_hist_bucket(constants[i])] = 12345;
		for (percent = 1; percent <= 100; percent++)
			CHECK_INT(kprof_hist_percentile(count, 12345, percent, constants[i],
							constants[i]), constants[i]);
	}
}

/* A value of two: 90 fast calls and 10 slow ones. */
static void test_two_values(void)
{
	u64 value[100];
	u32 i;

	for (i = 0; i < 100; i++)
		value[i] = i < 90 ? 100 : 1000000;
	check_percentiles(value, 100);
	CHECK(kprof_hist_percentile(count, 100, 50, 100, 1000000) <= 112);
	CHECK(kprof_hist_percentile(count, 100, 90, 100, 1000000) <= 112);
	CHECK(kprof_hist_percentile(count, 100, 91, 100, 1000000) >= 917504);
	CHECK_INT(kprof_hist_percentile(count, 100, 100, 100, 1000000), 1000000);
}

/* Few values: the rank is rounded up, never to none and never past the last. */
static void test_few_values(void)
{
	u64 value[] = { 10, 1000, 100000 };

	check_percentiles(value, 1);
	check_percentiles(value, 2);
	check_percentiles(value, 3);
	CHECK(kprof_hist_percentile(count, 3, 33, 10, 100000) <= 12);
	CHECK(kprof_hist_percentile(count, 3, 34, 10, 100000) >= 896);
}

/* Linear inside the bucket: 1 to 1000 comes out nearly as it went in. */
static void test_uniform(void)
{
	u64 value[1000], got;
	u32 i;

	for (i = 0; i < 1000; i++)
		value[i] = i + 1;
	check_percentiles(value, 1000);
	for (i = 1; i <= 100; i++) {
		got = kprof_hist_percentile(count, 1000, i, 1, 1000);
		CHECK(got >= 10 * i - 1 && got <= 10 * i + 28);
	}
}

static void test_random(void)
{
	static u64 value[5000];
	u64 random = 1;
	u32 round, i;

	for (round = 1; round < 20; round++) {
		for (i = 0; i < 251 * round; i++) {
			random = random * 6364136223846793005ULL + 1442695040888963407ULL;
			value[i] = random >> (22 + (random >> 20) % 42);
		}
		check_percentiles(value, i);
	}
}

/* More calls than 64 bits can multiply by a hundred. */
static void test_many(void)
{
	memset(count, 0, sizeof(count));
	count[kprof_hist_bucket(1024)] = 1ULL << 62;
	count[kprof_hist_bucket(1 << 20)] = 1ULL << 62;
	CHECK_INT(kprof_hist_percentile(count, 1ULL << 63, 25, 1, U64_MAX), 1024 + 128);
	CHECK_INT(kprof_hist_percentile(count, 1ULL << 63, 75, 1, U64_MAX), (1 << 20) + (1 << 17));
}

/* What was seen bounds what is said, at both ends. */
static void test_clamp(void)
{
	memset(count, 0, sizeof(count));
	count[kprof_hist_bucket(1024)] = 2;
	CHECK_INT(kprof_hist_percentile(count, 2, 1, 1200, 1230), 1200);
	CHECK_INT(kprof_hist_percentile(count, 2, 99, 1200, 1230), 1230);
}

/* Seen: a median of 4,608 beside a minimum of 4,362 and an average of 4,369. */
static void test_sum(void)
{
	u64 p50;

	memset(count, 0, sizeof(count));
	count[kprof_hist_bucket(4362)] = 100;
	p50 = kprof_hist_percentile(count, 100, 50, 4362, 5000);
	CHECK_INT(p50, 4608);
	CHECK_INT(kprof_hist_narrow(p50, 100, 50, 4362, 5000, 436900), 4362 + 700 / 51);
	CHECK_INT(kprof_hist_narrow(4362, 100, 99, 4362, 5000, 436900), 4363);
	/* Others are added meanwhile: the sum may be of more values, or of fewer. */
	CHECK_INT(kprof_hist_narrow(p50, 100, 50, 4362, 5000, 1), p50);
	CHECK_INT(kprof_hist_narrow(p50, 100, 50, 4362, 5000, U64_MAX), p50);
	CHECK_INT(kprof_hist_narrow(p50, U64_MAX, 50, 4362, U64_MAX, U64_MAX), p50);
	CHECK_INT(kprof_hist_narrow(0, 0, 50, 0, 0, 0), 0);
}

static const struct unit_test tests[] = {
	{ "bucket and low are each other's inverse, and monotonic", test_inverse },
	{ "a value lies in its bucket, a bucket is a quarter of an octave", test_every_value },
	{ "known values, known buckets", test_known_buckets },
	{ "the last bucket takes all that is longer", test_last_bucket },
	{ "no value: every percentile is 0", test_none },
	{ "a constant is every percentile of itself", test_constant },
	{ "two values", test_two_values },
	{ "few values", test_few_values },
	{ "the values 1 to 1000", test_uniform },
	{ "random values, against sorting them", test_random },
	{ "2^63 values", test_many },
	{ "no percentile is outside of what was seen", test_clamp },
	{ "nor can a percentile contradict the average", test_sum },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
