// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_rows.c - join and compare the rows of two measurements
 *
 * The averages are exact, because the module adds up every call. The variance is
 * computed from the buckets: the calls of a bucket are assumed to be spread
 * evenly over that part of it in which calls can be. Percentiles are known only
 * up to a bucket, so the interval of their difference extends to the bounds of
 * buckets: it cannot show a difference that the buckets do not show.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "lib/mem.h"
#include "lib/strtab.h"

const char *const diff_verdict_names[] = {
	[DIFF_SAME] = "same", [DIFF_SLOWER] = "slower", [DIFF_FASTER] = "faster",
	[DIFF_TOO_FEW] = "too few", [DIFF_UNSURE] = "unsure",
	[DIFF_ONLY_A] = "only A", [DIFF_ONLY_B] = "only B",
};

const char *const diff_calls_names[] = {
	[DIFF_AS_MANY] = "same", [DIFF_MORE] = "more", [DIFF_FEWER] = "fewer",
};

static struct moments moments_of(const struct lat_row *row)
{
	struct moments m = { .nr = lat_bucket_calls(row), .mean = lat_avg(row) };
	double squares = 0, low, high, off, width;
	size_t i;

	for (i = 0; i < row->nr_buckets; i++) {
		lat_bucket_bounds(row, &row->bucket[i], &low, &high);
		off = (low + high) / 2 - m.mean;
		width = high - low + 1;
		squares += row->bucket[i].calls * (off * off + (width * width - 1) / 12);
	}
	if (m.nr >= 2)
		m.variance = squares / (m.nr - 1);
	return m;
}

/* The confidence interval of a quantile, and its estimated value. */
static struct interval quantile_of(const struct lat_row *row, double p, double *value)
{
	double nr = lat_bucket_calls(row), ignored;
	struct interval ranks = quantile_ranks(nr, p), in = { .known = ranks.known };

	*value = lat_value_at(row, ceil(nr * p));
	if (in.known) {
		lat_bounds_at(row, ranks.low, &in.low, &ignored);
		lat_bounds_at(row, ranks.high, &ignored, &in.high);
	}
	return in;
}

static struct interval quantile_difference(const struct diff_row *row, double p)
{
	double a, b;
	struct interval in_a = quantile_of(row->side[DIFF_A], p, &a);
	struct interval in_b = quantile_of(row->side[DIFF_B], p, &b);

	return difference_interval(a, in_a, b, in_b);
}

/* Was the probe overhead subtracted on both sides, and is it known how much it varies? */
static bool is_net(const struct diff_row *row)
{
	const struct lat_row *a = row->side[DIFF_A], *b = row->side[DIFF_B];

	return a->net && a->unsure_ns != LAT_UNKNOWN && b->net && b->unsure_ns != LAT_UNKNOWN;
}

/* The remaining overhead on either side may cause the difference, or hide it. */
static void widen(struct diff_row *row)
{
	struct interval *const each[] = { &row->confidence, &row->p50, &row->p99 };
	bool known = is_net(row);
	size_t i;

	for (i = 0; i < sizeof(each) / sizeof(*each); i++) {
		each[i]->known = each[i]->known && known;
		if (!each[i]->known)
			continue;
		each[i]->low -= row->side[DIFF_B]->unsure_ns;
		each[i]->high += row->side[DIFF_A]->unsure_ns;
	}
}

static enum diff_verdict verdict_of(const struct diff_row *row, double threshold)
{
	if (!row->confidence.known)
		return DIFF_TOO_FEW;
	if (fabs(row->difference) <= threshold / 100 * lat_avg(row->side[DIFF_A]))
		return DIFF_SAME;
	if (row->confidence.low > 0)
		return DIFF_SLOWER;
	return row->confidence.high < 0 ? DIFF_FASTER : DIFF_SAME;
}

/* Compare numbers of calls. Random calls vary by the square root of their number. */
static enum diff_calls calls_of(double a, double b, double threshold)
{
	if (fabs(b - a) <= threshold / 100 * a || fabs(b - a) <= INTERVAL_Z95 * sqrt(a + b))
		return DIFF_AS_MANY;
	return b > a ? DIFF_MORE : DIFF_FEWER;
}

static void compare(struct diff_row *row, double threshold, bool net)
{
	const struct lat_row *a = row->side[DIFF_A], *b = row->side[DIFF_B];
	struct moments of_a = moments_of(a), of_b = moments_of(b);

	row->difference = lat_avg(b) - lat_avg(a);
	row->ratio = a->total ? lat_avg(b) / lat_avg(a) : 0;
	row->confidence = welch_interval(&of_a, &of_b);
	row->p50 = quantile_difference(row, 0.50);
	row->p99 = quantile_difference(row, 0.99);
	row->calls = calls_of(a->calls, b->calls, threshold);
	row->cost_time = row->difference * b->calls;
	row->cost_calls = ((double)b->calls - (double)a->calls) * lat_avg(a);
	row->cost = row->cost_time + row->cost_calls;
	row->cost_self = (double)b->self - (double)a->self;
	row->verdict = verdict_of(row, threshold);
	if (!net)
		return;
	widen(row);
	if (row->verdict != DIFF_TOO_FEW)
		row->verdict = row->confidence.known ? verdict_of(row, threshold) : DIFF_UNSURE;
}

static void add(struct diff *d, const struct lat_row *a, const struct lat_row *b)
{
	struct diff_row row = { .side = { a, b } };

	if (a && b) {
		compare(&row, d->threshold, d->net);
	} else {
		row.verdict = a ? DIFF_ONLY_A : DIFF_ONLY_B;
		row.cost = a ? -(double)a->total : (double)b->total;
		row.cost_calls = row.cost;
		row.cost_self = a ? -(double)a->self : (double)b->self;
	}
	d->row = mem_grow(d->row, &d->row_room, d->nr_rows + 1, sizeof(*d->row));
	d->row[d->nr_rows++] = row;
}

void diff_renamed_make(struct diff_renamed *r, const struct diff *d)
{
	uint32_t nr, at;
	size_t i;

	for (i = 0; i < d->nr_absences; i++) {
		const struct diff_absence *a = &d->absence[i];

		if (a->side != DIFF_B || a->reason != DIFF_RENAMED)
			continue;
		nr = r->names.nr;
		at = strtab_add(&r->names, a->target, strlen(a->target));
		r->twin = mem_grow(r->twin, &r->room, at + 1ul, sizeof(*r->twin));
		if (at == nr)
			r->twin[at] = a->twin;
	}
}

const char *diff_name_in_b(const struct diff_renamed *r, const char *target)
{
	uint32_t i = strtab_find(&r->names, target, strlen(target));

	return i == STRTAB_NONE ? target : r->twin[i];
}

void diff_renamed_free(struct diff_renamed *r)
{
	strtab_free(&r->names);
	free(r->twin);
}

/* Sort rows of both sides by cost, gains last; then come rows of one side. */
static int by_cost(const void *va, const void *vb)
{
	const struct diff_row *a = va, *b = vb;
	int group_a = a->verdict >= DIFF_ONLY_A ? a->verdict : 0;
	int group_b = b->verdict >= DIFF_ONLY_A ? b->verdict : 0;
	int order;

	if (group_a != group_b)
		return group_a < group_b ? -1 : 1;
	if (a->cost != b->cost)
		return (a->cost > b->cost) != (group_a == DIFF_ONLY_A) ? -1 : 1;
	order = strcmp(diff_name(a)->target, diff_name(b)->target);
	return order ? order : strcmp(diff_name(a)->context, diff_name(b)->context);
}

/*
 * The cost of a row is the growth of its total: the additional calls, at A's average, plus the
 * difference of the averages for all calls of B. For a row that only one side has, the cost is
 * its total.
 */
void diff_rows_make(struct diff *d)
{
	const struct lat_table *a = &d->table[DIFF_A], *b = &d->table[DIFF_B];
	bool *joined = mem_zalloc(b->nr, sizeof(*joined));
	struct diff_renamed renamed = { .room = 0 };
	size_t i;

	diff_renamed_make(&renamed, d);
	for (i = 0; i < a->nr; i++) {
		const struct lat_row *row = &a->row[i];
		struct lat_row *other = lat_find(b, diff_name_in_b(&renamed, row->target),
						 row->context);

		if (!row->calls)
			continue;
		if (other && !other->calls)
			other = NULL;
		if (other)
			joined[other - b->row] = true;
		add(d, row, other);
	}
	for (i = 0; i < b->nr; i++)
		if (!joined[i] && b->row[i].calls)
			add(d, NULL, &b->row[i]);
	free(joined);
	diff_renamed_free(&renamed);
	if (d->nr_rows)
		qsort(d->row, d->nr_rows, sizeof(*d->row), by_cost);
}

void diff_free(struct diff *d)
{
	lat_free(&d->table[DIFF_A]);
	lat_free(&d->table[DIFF_B]);
	free(d->row);
	free(d->change);
	free(d->absence);
	arena_free(&d->texts);
}
