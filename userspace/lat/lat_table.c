// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_table.c - the table of latencies: merge, subtract and sort rows, compute percentiles
 */
#include <stdlib.h>
#include <string.h>

#include "lat/lat.h"
#include "lib/mem.h"

const char *const lat_sort_names[] = {
	"total", "self", "calls", "avg", "min", "p50", "p90", "p99", "max", "name", NULL
};

static int by_name(const struct lat_row *a, const struct lat_row *b)
{
	int order = strcmp(a->target, b->target);

	return order ? order : strcmp(a->context, b->context);
}

static int index_by_name(const void *va, const void *vb, void *arg)
{
	const struct lat_table *t = arg;

	return by_name(&t->row[*(const uint32_t *)va], &t->row[*(const uint32_t *)vb]);
}

/* Call this after rows were added or removed, before lat_find(). */
static void index_rows(struct lat_table *t)
{
	size_t i;

	t->sorted = mem_realloc(t->sorted, t->nr, sizeof(*t->sorted));
	for (i = 0; i < t->nr; i++)
		t->sorted[i] = i;
	qsort_r(t->sorted, t->nr, sizeof(*t->sorted), index_by_name, t);
}

/* Where the first row is in @t->sorted that does not come before this one. */
static size_t find_from(const struct lat_table *t, const char *target, const char *context)
{
	const struct lat_row wanted = { .target = target, .context = context };
	size_t low = 0, high = t->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (by_name(&t->row[t->sorted[mid]], &wanted) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Any row of a target; NULL if it has none. */
static const struct lat_row *find_target(const struct lat_table *t, const char *target)
{
	size_t at = find_from(t, target, "");

	return at < t->nr && !strcmp(t->row[t->sorted[at]].target, target) ?
	       &t->row[t->sorted[at]] : NULL;
}

struct lat_row *lat_find(const struct lat_table *t, const char *target, const char *context)
{
	const struct lat_row wanted = { .target = target, .context = context };
	size_t at = find_from(t, target, context);

	return at < t->nr && !by_name(&t->row[t->sorted[at]], &wanted) ?
	       &t->row[t->sorted[at]] : NULL;
}

double lat_avg(const struct lat_row *row)
{
	return row->calls ? (double)row->total / row->calls : 0;
}

uint64_t lat_bucket_calls(const struct lat_row *row)
{
	uint64_t calls = 0;
	size_t i;

	for (i = 0; i < row->nr_buckets; i++)
		calls += row->bucket[i].calls;
	return calls;
}

void lat_bucket_bounds(const struct lat_row *row, const struct lat_bucket *b, double *low,
		       double *high)
{
	*low = b->low > row->min ? b->low : row->min;
	*high = b->high - 1 < row->max ? b->high - 1 : row->max;
	/* The module's two files were not read at the same time. */
	if (*low > *high)
		*low = *high = b->low;
}

/* The bucket of a rank. *below: how many calls are in the buckets before it. */
static const struct lat_bucket *bucket_at(const struct lat_row *row, double rank, double *below)
{
	const struct lat_bucket *b = row->bucket;
	size_t i;

	*below = 0;
	for (i = 1; i < row->nr_buckets && *below + b->calls < rank; i++)
		*below += b++->calls;
	return row->nr_buckets ? b : NULL;
}

void lat_bounds_at(const struct lat_row *row, double rank, double *low, double *high)
{
	double below;
	const struct lat_bucket *b = bucket_at(row, rank, &below);

	*low = *high = lat_avg(row);
	if (b)
		lat_bucket_bounds(row, b, low, high);
}

double lat_value_at(const struct lat_row *row, double rank)
{
	double below, value;
	const struct lat_bucket *b = bucket_at(row, rank, &below);

	if (!b)
		return lat_avg(row);
	value = b->low + (double)(b->high - b->low) * (rank - below) / b->calls;
	if (value < row->min)
		return row->min;
	return value > row->max ? row->max : value;
}

/* The smallest latency that at least @percent of the calls do not exceed. */
static uint64_t percentile(const struct lat_row *row, unsigned int percent)
{
	uint64_t calls = lat_bucket_calls(row);

	return lat_value_at(row, calls / 100 * percent + (calls % 100 * percent + 99) / 100);
}

static void set_percentiles(struct lat_row *row)
{
	row->p50 = percentile(row, 50);
	row->p90 = percentile(row, 90);
	row->p99 = percentile(row, 99);
}

/* --- rows of the same text --- */

static void merge_row(struct lat_row *row, const struct lat_row *other)
{
	/* A row without calls has no minimum. */
	if (other->calls && (!row->calls || other->min < row->min))
		row->min = other->min;
	if (other->max > row->max)
		row->max = other->max;
	row->calls += other->calls;
	row->total += other->total;
	row->self += other->self;
	/* "missed" is per target: each row has it, but rows were not read at the same time. */
	if (other->missed > row->missed)
		row->missed = other->missed;
	row->merged = true;
}

void lat_merge_rows(struct lat_table *t)
{
	struct lat_row *row, *last = NULL;
	size_t i, kept = 0;

	index_rows(t);
	/* Remove all but the first of equal rows; keep the order. */
	for (i = 0; i < t->nr; i++) {
		row = &t->row[t->sorted[i]];
		if (last && !by_name(last, row)) {
			merge_row(last, row);
			row->target = NULL;
		} else {
			last = row;
		}
	}
	for (i = 0; i < t->nr; i++)
		if (t->row[i].target)
			t->row[kept++] = t->row[i];
	t->nr = kept;
	index_rows(t);
}

static int by_low(const void *va, const void *vb)
{
	const struct lat_bucket *a = va, *b = vb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->high < b->high ? -1 : a->high > b->high;
}

static bool merge_buckets(struct lat_row *row)
{
	size_t i, kept = 0;

	if (row->nr_buckets)
		qsort(row->bucket, row->nr_buckets, sizeof(*row->bucket), by_low);
	for (i = 0; i < row->nr_buckets; i++) {
		struct lat_bucket b = row->bucket[i], *last = kept ? &row->bucket[kept - 1] : NULL;

		if (last && last->low == b.low && last->high == b.high) {
			last->calls += b.calls;
			continue;
		}
		if (last && last->high > b.low)
			return false;
		row->bucket[kept++] = b;
	}
	row->nr_buckets = kept;
	return true;
}

bool lat_merge_buckets(struct lat_table *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++) {
		if (!t->row[i].merged)
			continue;
		if (!merge_buckets(&t->row[i]))
			return false;
		if (t->row[i].nr_buckets)
			set_percentiles(&t->row[i]);
	}
	return true;
}

void lat_add_row(struct lat_row *row, const struct lat_row *other)
{
	size_t nr = row->nr_buckets + other->nr_buckets;

	merge_row(row, other);
	if (!other->nr_buckets)
		return;
	row->bucket = mem_realloc(row->bucket, nr, sizeof(*row->bucket));
	row->bucket_room = nr;
	memcpy(row->bucket + row->nr_buckets, other->bucket,
	       other->nr_buckets * sizeof(*row->bucket));
	row->nr_buckets = nr;
	/* Buckets of a table have the same bounds in all rows. */
	merge_buckets(row);
	set_percentiles(row);
}

/* --- order --- */

static double sort_value(const struct lat_row *row, enum lat_sort key)
{
	switch (key) {
	case LAT_SELF:
		return row->self;
	case LAT_CALLS:
		return row->calls;
	case LAT_AVG:
		return lat_avg(row);
	case LAT_MIN:
		return row->min;
	case LAT_P50:
		return row->p50;
	case LAT_P90:
		return row->p90;
	case LAT_P99:
		return row->p99;
	case LAT_MAX:
		return row->max;
	case LAT_NAME:
		return 0;
	case LAT_TOTAL:
		break;
	}
	return row->total;
}

/* Sort equal rows by name, so that the result does not depend on qsort(). */
static int compare(const void *va, const void *vb, void *arg)
{
	const struct lat_row *a = va, *b = vb;
	double x = sort_value(a, *(enum lat_sort *)arg), y = sort_value(b, *(enum lat_sort *)arg);

	if (x != y)
		return x > y ? -1 : 1;
	return by_name(a, b);
}

void lat_sort(struct lat_table *t, enum lat_sort key)
{
	if (t->nr)
		qsort_r(t->row, t->nr, sizeof(*t->row), compare, &key);
	index_rows(t);
}

/* --- differences --- */

static void subtract_buckets(struct lat_row *row, const struct lat_row *before)
{
	size_t i, j = 0, kept = 0;

	for (i = 0; i < row->nr_buckets; i++) {
		struct lat_bucket b = row->bucket[i];

		while (j < before->nr_buckets && before->bucket[j].low < b.low)
			j++;
		if (j < before->nr_buckets && before->bucket[j].low == b.low)
			b.calls -= before->bucket[j].calls;
		if (b.calls)
			row->bucket[kept++] = b;
	}
	row->nr_buckets = kept;
}

/*
 * The minimum and maximum of the new calls are known only as precisely as their
 * buckets. But if the maximum has grown, it is that of a new call, and exact; the
 * last bucket has no upper bound.
 */
static void subtract_values(struct lat_row *row, const struct lat_row *before)
{
	const struct lat_bucket *b = row->bucket;
	size_t nr = row->nr_buckets;

	if (nr && b[0].low > row->min)
		row->min = b[0].low;
	if (nr && row->max <= before->max && b[nr - 1].high - 1 < row->max)
		row->max = b[nr - 1].high - 1;
	set_percentiles(row);
}

static bool subtract_row(struct lat_row *row, const struct lat_row *before)
{
	if (row->calls < before->calls || row->total < before->total ||
	    row->missed < before->missed)
		return false;
	if (!before->calls && !before->nr_buckets) {
		row->missed -= before->missed;
		return true;
	}
	row->calls -= before->calls;
	row->missed -= before->missed;
	row->total -= before->total;
	row->self -= before->self;
	subtract_buckets(row, before);
	subtract_values(row, before);
	return true;
}

/* What is missed is the target's, and stands in each of its rows, also in those that are new. */
static void subtract_missed(struct lat_row *row, const struct lat_table *before)
{
	const struct lat_row *other = NULL;

	if (row->missed != LAT_UNKNOWN && !lat_find(before, row->target, row->context))
		other = find_target(before, row->target);
	if (other && other->missed != LAT_UNKNOWN)
		row->missed -= other->missed < row->missed ? other->missed : row->missed;
}

bool lat_subtract(struct lat_table *t, const struct lat_table *before)
{
	size_t i, kept = 0;

	for (i = 0; i < before->nr; i++) {
		const struct lat_row *old = &before->row[i];
		struct lat_row *row = lat_find(t, old->target, old->context);

		if (!row ? old->calls : !subtract_row(row, old))
			return false;
	}
	for (i = 0; i < t->nr; i++) {
		struct lat_row row = t->row[i];

		subtract_missed(&row, before);
		if (row.calls || row.missed)
			t->row[kept++] = row;
		else
			free(row.bucket);
	}
	t->nr = kept;
	index_rows(t);
	return true;
}

void lat_free(struct lat_table *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		free(t->row[i].bucket);
	free(t->row);
	free(t->sorted);
	arena_free(&t->names);
	*t = (struct lat_table){ 0 };
}
