// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_runs.c - the rows of several runs a side: their tests and their verdicts
 *
 * What is the same number in all runs of both sides is not tested: it could not be found anyhow,
 * and would only make the others harder to find. Nor is, of functions in recordings, what has so
 * small a share of all samples (r->least, of both sides together) that chance moves it about:
 * there are hundreds of such functions, and with them in the count a large difference of three runs
 * a side would not be found. This keeps the level, because it does not depend on which run is of
 * which side.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff_runs.h"
#include "lib/discovery.h"
#include "lib/mem.h"

const char *diff_runs_verdict_name(const struct diff_runs *r, const struct diff_runs_row *row)
{
	/* Functions have more of the unit, which need not be time. */
	static const char *const of_functions[] = {
		[DIFF_SAME] = "same", [DIFF_SLOWER] = "more", [DIFF_FASTER] = "less",
		[DIFF_TOO_FEW] = "too few", [DIFF_UNSURE] = "unsure",
		[DIFF_ONLY_A] = "only A", [DIFF_ONLY_B] = "only B",
	};

	return r->kind == DIFF_FUNCTIONS ? of_functions[row->verdict] :
					   diff_verdict_names[row->verdict];
}

static size_t all_runs(const struct diff_runs *r)
{
	return r->nr[DIFF_A] + r->nr[DIFF_B];
}

struct diff_runs_row *diff_runs_row(struct diff_runs *r, const char *target, const char *context)
{
	struct buf key = { 0 };
	struct diff_runs_row *row;
	uint32_t nr = r->names.nr, i;
	int q;

	buf_add(&key, target, strlen(target) + 1);
	buf_add(&key, context, strlen(context));
	i = strtab_add(&r->names, key.data, key.len);
	buf_free(&key);
	if (i < nr)
		return &r->row[i];
	r->row = mem_grow(r->row, &r->row_room, i + 1ul, sizeof(*r->row));
	row = &r->row[r->nr_rows++];
	*row = (struct diff_runs_row){ .target = r->names.name[i].text };
	row->context = row->target + strlen(target) + 1;
	for (q = 0; q < DIFF_NR_QUANTITIES; q++)
		row->of[q].value = mem_zalloc(all_runs(r), sizeof(double));
	return row;
}

void diff_runs_add_table(struct diff_runs *r, enum diff_side side, size_t run,
			 const struct lat_table *t)
{
	size_t at = side == DIFF_A ? run : r->nr[DIFF_A] + run, i;

	for (i = 0; i < t->nr; i++) {
		const struct lat_row *from = &t->row[i];
		struct diff_runs_row *row;

		if (!from->calls)
			continue;
		row = diff_runs_row(r, from->target, from->context);
		row->of[DIFF_CALLS].value[at] += from->calls;
		row->of[DIFF_TOTAL].value[at] += from->total;
		row->of[DIFF_SELF].value[at] += from->self;
		/* LAT_UNKNOWN is the largest number. */
		if (!from->net)
			row->unsure_ns[side] = LAT_UNKNOWN;
		else if (from->unsure_ns > row->unsure_ns[side])
			row->unsure_ns[side] = from->unsure_ns;
	}
}

/* The rows with calls in any run of a side, as the table of this side. */
static void make_head_table(struct diff_runs *r, enum diff_side side)
{
	struct lat_table *t = &r->head.table[side];
	size_t first = side == DIFF_A ? 0 : r->nr[DIFF_A], i, run;

	t->row = mem_zalloc(r->nr_rows, sizeof(*t->row));
	for (i = 0; i < r->nr_rows; i++) {
		const double *calls = r->row[i].of[DIFF_CALLS].value + first;
		struct lat_row row = { .target = r->row[i].target, .context = r->row[i].context };

		for (run = 0; run < r->nr[side]; run++)
			row.calls |= calls[run] > 0;
		if (row.calls)
			t->row[t->nr++] = row;
	}
	lat_sort(t, LAT_NAME);
}

static void join(struct diff_runs *r, struct diff_runs_row *row, struct diff_runs_row *with)
{
	int q, side;
	size_t i;

	for (q = 0; q < DIFF_NR_QUANTITIES; q++)
		for (i = 0; i < all_runs(r); i++)
			with->of[q].value[i] += row->of[q].value[i];
	for (side = 0; side < DIFF_NR_SIDES; side++)
		if (row->unsure_ns[side] > with->unsure_ns[side])
			with->unsure_ns[side] = row->unsure_ns[side];
	row->joined = true;
}

void diff_runs_join(struct diff_runs *r)
{
	struct diff_renamed renamed = { .room = 0 };
	size_t i, nr = r->nr_rows;

	make_head_table(r, DIFF_A);
	make_head_table(r, DIFF_B);
	diff_absences_make(&r->head);
	diff_renamed_make(&renamed, &r->head);
	for (i = 0; i < nr; i++) {
		struct diff_runs_row *row = &r->row[i];
		const char *twin = diff_name_in_b(&renamed, row->target);

		if (twin != row->target &&
		    lat_find(&r->head.table[DIFF_B], twin, row->context))
			join(r, row, diff_runs_row(r, twin, row->context));
	}
	diff_renamed_free(&renamed);
}

static void free_values(struct diff_runs_row *row)
{
	int q;

	for (q = 0; q < DIFF_NR_QUANTITIES; q++)
		free(row->of[q].value);
}

static void drop_joined(struct diff_runs *r)
{
	size_t i, kept = 0;

	for (i = 0; i < r->nr_rows; i++) {
		if (r->row[i].joined)
			free_values(&r->row[i]);
		else
			r->row[kept++] = r->row[i];
	}
	r->nr_rows = kept;
}

/* Average of the calls of each run that has any. */
static void set_averages(const struct diff_runs *r, struct diff_runs_row *row)
{
	const double *calls = row->of[DIFF_CALLS].value, *total = row->of[DIFF_TOTAL].value;
	size_t i;

	for (i = 0; i < all_runs(r); i++)
		row->of[DIFF_AVG].value[i] = calls[i] > 0 ? total[i] / calls[i] : NAN;
}

static bool all_equal(const double *value, size_t nr)
{
	size_t i;

	for (i = 1; i < nr; i++)
		if (value[i] != value[0])
			return false;
	return true;
}

static void measure_one(const struct diff_runs *r, struct diff_values *v, bool test,
			bool are_counts)
{
	const struct moments *a = &v->side[DIFF_A], *b = &v->side[DIFF_B];

	v->difference = b->mean - a->mean;
	v->enough = a->nr >= DIFF_RUNS_MIN && b->nr >= DIFF_RUNS_MIN;
	if (!v->enough)
		return;
	v->confidence = welch_interval(a, b);
	v->tested = test && !all_equal(v->value, all_runs(r));
	if (v->tested)
		v->chance = runs_chance(a, b, are_counts);
}

/* What differs between machines is no difference between the sides, and hides none. */
static void measure_several(const struct diff_runs *r, struct diff_values *v, bool test,
			    bool are_counts)
{
	struct runs_within w = runs_within(v->value, r->nr[DIFF_A], r->nr[DIFF_B], r->machines,
					   are_counts);

	v->difference = w.difference;
	v->enough = w.nr[DIFF_A] >= DIFF_RUNS_MIN && w.nr[DIFF_B] >= DIFF_RUNS_MIN;
	if (!v->enough)
		return;
	v->confidence = w.confidence;
	v->tested = test && !w.all_equal;
	if (v->tested)
		v->chance = w.chance;
}

static void measure(const struct diff_runs *r, struct diff_values *v, bool test, bool are_counts)
{
	v->side[DIFF_A] = moments_of_values(v->value, r->nr[DIFF_A]);
	v->side[DIFF_B] = moments_of_values(v->value + r->nr[DIFF_A], r->nr[DIFF_B]);
	v->chance = 1;
	if (r->machines > 1)
		measure_several(r, v, test, are_counts);
	else
		measure_one(r, v, test, are_counts);
	v->adjusted = 1;
}

static double sum_of(const struct diff_runs *r, const struct diff_runs_row *row)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < all_runs(r); i++)
		sum += row->of[DIFF_SELF].value[i];
	return sum;
}

/* Of a function that has no samples of its own, nothing is tested anyhow. */
static void find_small(struct diff_runs *r)
{
	double all = 0;
	size_t i;

	for (i = 0; i < r->nr_rows && r->least > 0; i++)
		all += sum_of(r, &r->row[i]);
	for (i = 0; i < r->nr_rows && r->least > 0; i++) {
		double sum = sum_of(r, &r->row[i]);

		r->row[i].is_small = sum > 0 && sum < r->least * all;
	}
}

static void measure_row(struct diff_runs *r, struct diff_runs_row *row)
{
	bool latencies = r->kind == DIFF_LATENCIES, any = false;
	int q;

	if (latencies)
		set_averages(r, row);
	measure(r, &row->of[DIFF_CALLS], latencies, true);
	measure(r, &row->of[DIFF_AVG], latencies, false);
	measure(r, &row->of[DIFF_SELF], !latencies && !row->is_small, r->are_counts);
	measure(r, &row->of[DIFF_TOTAL], false, false);
	for (q = 0; q < DIFF_NR_QUANTITIES; q++) {
		any |= row->of[q].tested;
		r->nr_tests += row->of[q].tested;
	}
	r->nr_tested += any;
}

/* Adjust the chances of all tests of all rows together. */
static void adjust(struct diff_runs *r)
{
	double *chance = mem_zalloc(r->nr_tests, sizeof(*chance));
	size_t i, nr = 0;
	int q;

	for (i = 0; i < r->nr_rows; i++)
		for (q = 0; q < DIFF_NR_QUANTITIES; q++)
			if (r->row[i].of[q].tested)
				chance[nr++] = r->row[i].of[q].chance;
	discovery_adjust(chance, nr);
	for (nr = 0, i = 0; i < r->nr_rows; i++) {
		for (q = 0; q < DIFF_NR_QUANTITIES; q++) {
			struct diff_values *v = &r->row[i].of[q];

			if (!v->tested)
				continue;
			v->adjusted = chance[nr++];
			v->found = v->adjusted <= r->rate / 100 &&
				   fabs(v->difference) > r->threshold / 100 * v->side[DIFF_A].mean;
		}
	}
	free(chance);
}

/* Net latencies: what is left of the probes may be the difference. */
static bool survives_net(const struct diff_runs *r, struct diff_runs_row *row)
{
	struct diff_values *v = &row->of[DIFF_AVG];

	if (!r->net)
		return true;
	v->confidence.known = v->confidence.known && row->unsure_ns[DIFF_A] != LAT_UNKNOWN &&
			      row->unsure_ns[DIFF_B] != LAT_UNKNOWN;
	if (!v->confidence.known)
		return false;
	v->confidence.low -= row->unsure_ns[DIFF_B];
	v->confidence.high += row->unsure_ns[DIFF_A];
	return v->confidence.low > 0 || v->confidence.high < 0;
}

static enum diff_verdict verdict_of(const struct diff_runs *r, struct diff_runs_row *row)
{
	bool latencies = r->kind == DIFF_LATENCIES;
	const struct diff_values *v = &row->of[latencies ? DIFF_AVG : DIFF_SELF];
	const struct moments *present = row->of[latencies ? DIFF_CALLS : DIFF_TOTAL].side;
	bool sure = !latencies || survives_net(r, row);

	if (!(present[DIFF_A].mean > 0))
		return DIFF_ONLY_B;
	if (!(present[DIFF_B].mean > 0))
		return DIFF_ONLY_A;
	if (!v->enough || row->is_small)
		return DIFF_TOO_FEW;
	if (!v->found)
		return DIFF_SAME;
	if (!sure)
		return DIFF_UNSURE;
	return v->difference > 0 ? DIFF_SLOWER : DIFF_FASTER;
}

static void judge_row(struct diff_runs *r, struct diff_runs_row *row)
{
	const struct diff_values *calls = &row->of[DIFF_CALLS], *avg = &row->of[DIFF_AVG];

	row->verdict = verdict_of(r, row);
	if (calls->found)
		row->calls = calls->difference > 0 ? DIFF_MORE : DIFF_FEWER;
	row->differs = calls->found || row->verdict == DIFF_SLOWER || row->verdict == DIFF_FASTER ||
		       row->of[DIFF_SELF].found;
	r->nr_differ += row->differs;
	row->cost = row->of[DIFF_TOTAL].difference;
	row->cost_calls = row->cost;
	if (avg->side[DIFF_A].nr && avg->side[DIFF_B].nr)
		row->cost_calls = calls->difference * avg->side[DIFF_A].mean;
	row->cost_time = row->cost - row->cost_calls;
}

/* What differs first; then by cost, of functions by the difference of self. */
static int by_cost(const void *va, const void *vb, void *arg)
{
	const struct diff_runs *r = arg;
	const struct diff_runs_row *a = va, *b = vb;
	double cost_a = a->cost, cost_b = b->cost;
	int order;

	if (a->differs != b->differs)
		return a->differs ? -1 : 1;
	if (r->kind == DIFF_FUNCTIONS) {
		cost_a = fabs(a->of[DIFF_SELF].difference);
		cost_b = fabs(b->of[DIFF_SELF].difference);
	}
	if (cost_a != cost_b)
		return cost_a > cost_b ? -1 : 1;
	order = strcmp(a->target, b->target);
	return order ? order : strcmp(a->context, b->context);
}

void diff_runs_judge(struct diff_runs *r)
{
	size_t i;

	drop_joined(r);
	find_small(r);
	for (i = 0; i < r->nr_rows; i++)
		measure_row(r, &r->row[i]);
	adjust(r);
	for (i = 0; i < r->nr_rows; i++)
		judge_row(r, &r->row[i]);
	if (r->nr_rows)
		qsort_r(r->row, r->nr_rows, sizeof(*r->row), by_cost, r);
}

void diff_runs_free(struct diff_runs *r)
{
	size_t i;
	int side;

	for (i = 0; i < r->nr_rows; i++)
		free_values(&r->row[i]);
	free(r->row);
	strtab_free(&r->names);
	diff_free(&r->head);
	for (side = 0; side < DIFF_NR_SIDES; side++)
		data_close(&r->first[side]);
}
