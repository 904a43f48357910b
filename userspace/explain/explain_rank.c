// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_rank.c - compute how much of the variance of the latency a key explains
 *
 * With n calls that have k values, eta squared is the share of the sum of squares
 * that lies between values. Its expectation by chance alone is (k - 1) / (n - 1),
 * for any distribution, so it is adjusted: 1 - (1 - eta^2) (n - 1) / (n - k). A
 * value with few calls could have one of the very long calls by chance, and would
 * then seem to explain it. So all values with few calls are merged into one, as
 * are values of a key that has too many of them (see explain_keys.c).
 *
 * The longest calls were often interrupted or preempted. They make up much of the
 * variance, but are not due to the work of the function. So the share is computed
 * in two ways: with the longest thousandth of the calls cut to the length of the
 * shortest of them; and with all calls except the longest few, to find a slow
 * path that is as rare as that. The larger share counts.
 *
 * Where more calls than these were interrupted for long, as in virtual machines, neither way finds
 * anything. Then the variance of the logarithm of the time is taken, of which such calls are a part
 * like others.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "lib/mem.h"

#define NR_CUTS		2

enum way {
	LESS_CUT = NR_CUTS - 1,
	LOGARITHM,
	NR_WAYS
};

/* How much longer than others calls with a value have to take to be told. */
#define LONGER		1.1
#define LONGER_BY_LOG	1.5	/* of values that hide behind a noise */
/* Standard errors that they differ by: a few calls of one value may be long by chance. */
#define ERRORS		3

/* Sums over calls: their number, their times computed in each way, and the squares of these. */
struct sum {
	uint64_t calls;
	double total;			/* exact */
	double time[NR_WAYS];		/* from the buckets: longest calls cut; logarithms */
	double squares[NR_WAYS];
};

static void add_sum(struct sum *to, const struct sum *from)
{
	int way;

	to->calls += from->calls;
	to->total += from->total;
	for (way = 0; way < NR_WAYS; way++) {
		to->time[way] += from->time[way];
		to->squares[way] += from->squares[way];
	}
}

static double middle(const struct lat_row *row, const struct lat_bucket *b)
{
	double low, high;

	lat_bucket_bounds(row, b, &low, &high);
	return (low + high) / 2;
}

static void sum_of_row(struct sum *s, const struct lat_row *row, const double cut[NR_CUTS])
{
	size_t i;
	int way;

	*s = (struct sum){ .total = row->total };
	for (i = 0; i < row->nr_buckets; i++) {
		double value = middle(row, &row->bucket[i]), n = row->bucket[i].calls;

		s->calls += row->bucket[i].calls;
		for (way = 0; way < NR_WAYS; way++) {
			double v = fmin(value, cut[way < NR_CUTS ? way : LESS_CUT]);

			if (way == LOGARITHM)
				v = log(fmax(v, 1));

			s->time[way] += n * v;
			s->squares[way] += n * v * v;
		}
	}
}

/* --- where the longest calls are cut --- */

static void find_cuts(const struct explain_group *g, double cut[NR_CUTS])
{
	struct explain_times t = { 0 };
	size_t r;

	for (r = 0; r < g->nr_rows; r++)
		explain_times_add(&t, g->row[r].row);
	explain_times_sort(&t);
	cut[0] = explain_times_below(&t, fmax(EXPLAIN_LONGEST, t.calls / 1000));
	cut[1] = explain_times_below(&t, EXPLAIN_LONGEST);
	explain_times_free(&t);
}

/* --- calls by the values of one key or two --- */

struct cells {
	struct sum *cell;	/* indexed by the value of the first key, then of the second */
	uint32_t first, second;	/* number of values of each */
	struct sum all;
};

static void cells_make(struct cells *c, const struct explain_group *g, const struct sum *row_sum,
		       const int key[2])
{
	size_t r;

	*c = (struct cells){ .first = g->key[key[0]].nr_names, .second = 1 };
	if (key[1] >= 0)
		c->second = g->key[key[1]].nr_names;
	c->cell = mem_zalloc((size_t)c->first * c->second, sizeof(*c->cell));
	for (r = 0; r < g->nr_rows; r++) {
		const uint32_t *value = g->row[r].value;
		uint32_t at = value[key[0]] * c->second + (key[1] >= 0 ? value[key[1]] : 0);

		add_sum(&c->cell[at], &row_sum[r]);
		add_sum(&c->all, &row_sum[r]);
	}
}

/* Adjusted eta squared. A negative result is due to chance. */
static double explained(const struct cells *c, int way, uint32_t *values)
{
	double n = c->all.calls, mean = c->all.time[way] / n;
	double whole = c->all.squares[way] - n * mean * mean, between = 0, k;
	size_t i, nr = (size_t)c->first * c->second;
	struct sum few = { 0 };
	uint32_t told = 0;

	for (i = 0; i < nr; i++) {
		const struct sum *s = &c->cell[i];

		if (s->calls < EXPLAIN_FEW) {
			add_sum(&few, s);
			continue;
		}
		told++;
		between += s->time[way] * s->time[way] / s->calls;
	}
	*values = told;
	k = told + !!few.calls;
	if (few.calls)
		between += few.time[way] * few.time[way] / few.calls;
	between -= n * mean * mean;
	/* Buckets have a width, so a tiny variance means nothing. */
	if (k < 2 || n <= k || whole <= n * mean * mean / 1e9)
		return 0;
	return 1 - (1 - between / whole) * (n - 1) / (n - k);
}

/*
 * How far the typical (geometric mean) times of values are from that of all calls, squared.
 * Logarithms favour what goes with a small difference of most calls; this, what goes with those
 * that are slow.
 */
static double spread(const struct cells *c)
{
	double typical = exp(c->all.time[LOGARITHM] / c->all.calls), sum = 0, off;
	size_t i, nr = (size_t)c->first * c->second;

	for (i = 0; i < nr; i++) {
		const struct sum *s = &c->cell[i];

		if (s->calls < EXPLAIN_FEW)
			continue;
		off = exp(s->time[LOGARITHM] / s->calls) - typical;
		sum += s->calls * off * off;
	}
	return sum;
}

static void note_worst(struct explain_worst *w, const struct explain_value *v)
{
	int i = w->nr;

	if (i == EXPLAIN_SHOWN && w->value[i - 1].excess >= v->excess)
		return;
	if (i == EXPLAIN_SHOWN)
		i--;
	else
		w->nr++;
	for (; i > 0 && w->value[i - 1].excess < v->excess; i--)
		w->value[i] = w->value[i - 1];
	w->value[i] = *v;
}

/*
 * Is it the calls with a value that take longer, and not a few of them that were interrupted? The
 * longest thousandth of all calls counts as the shortest of them.
 */
static bool is_sure(const struct sum *s, const struct sum *all)
{
	double mean = s->time[0] / s->calls;
	double rest = (all->time[0] - s->time[0]) / (all->calls - s->calls);
	double variance = fmax(0, s->squares[0] / s->calls - mean * mean);

	return mean - rest > ERRORS * sqrt(variance / s->calls);
}

/* Values whose calls take clearly longer than all others. */
static void find_worst(struct explain_worst *w, const struct cells *c, bool by_log)
{
	size_t i, nr = (size_t)c->first * c->second;

	for (i = 0; i < nr; i++) {
		const struct sum *s = &c->cell[i];
		uint64_t others = c->all.calls - s->calls;
		double each, rest;

		if (s->calls < EXPLAIN_FEW || !others)
			continue;
		if (by_log) {
			each = exp(s->time[LOGARITHM] / s->calls);
			rest = exp((c->all.time[LOGARITHM] - s->time[LOGARITHM]) / others);
		} else {
			each = s->total / s->calls;
			rest = (c->all.total - s->total) / others;
		}
		if (each > (by_log ? LONGER_BY_LOG : LONGER) * rest &&
		    (by_log || is_sure(s, &c->all)))
			note_worst(w, &(struct explain_value){
				.value = { i / c->second, i % c->second }, .calls = s->calls,
				.total = s->total, .ratio = rest ? each / rest : 0,
				.excess = s->calls * (each - rest),
			});
	}
}

static void add_finding(struct explain *e, const struct explain_group *g,
			const struct sum *row_sum, int first, int second)
{
	struct explain_finding f = { .group = g, .key = { first, second } };
	double share[NR_WAYS];
	struct cells c;
	int way;

	cells_make(&c, g, row_sum, f.key);
	for (way = 0; c.all.calls && way < NR_WAYS; way++)
		share[way] = explained(&c, way, &f.values);
	if (c.all.calls) {
		f.outliers = share[LESS_CUT] > share[0] + 0.05;
		f.explains = fmax(0, fmax(share[0], share[LESS_CUT]));
		find_worst(&f.worst, &c, false);
		f.log_explains = fmax(0, share[LOGARITHM]);
		find_worst(&f.log_worst, &c, true);
		f.log_weight = spread(&c);
		e->finding = mem_grow(e->finding, &e->room, e->nr + 1, sizeof(*e->finding));
		e->finding[e->nr++] = f;
	}
	free(c.cell);
}

static bool can_explain(const struct explain_key *key)
{
	return key->kind != EXPLAIN_CONSTANT && key->kind != EXPLAIN_ADDRESSES;
}

void explain_add(struct explain *e, const struct explain_group *g)
{
	struct sum *row_sum = mem_zalloc(g->nr_rows, sizeof(*row_sum));
	double cut[NR_CUTS], total = 0, without_longest = 0;
	size_t r;
	int i, j;

	find_cuts(g, cut);
	for (r = 0; r < g->nr_rows; r++) {
		sum_of_row(&row_sum[r], g->row[r].row, cut);
		total += row_sum[r].total;
		without_longest += row_sum[r].time[LESS_CUT];
	}
	if (g->calls - g->without > e->calls) {
		e->calls = g->calls - g->without;
		e->round = g->round;
		e->total = total;
		e->longest = total > 0 ? fmax(0, 1 - without_longest / total) : 0;
		e->longest_ns = cut[LESS_CUT];
	}
	for (i = 0; i < g->nr_keys; i++) {
		if (can_explain(&g->key[i]))
			add_finding(e, g, row_sum, i, -1);
		for (j = i + 1; j < g->nr_keys; j++)
			if (can_explain(&g->key[i]) && can_explain(&g->key[j]))
				add_finding(e, g, row_sum, i, j);
	}
	free(row_sum);
}

/* --- order --- */

static int addresses_in(const struct explain_finding *f)
{
	const struct explain_key *key = f->group->key;

	return key[f->key[0]].addresses + (f->key[1] >= 0 && key[f->key[1]].addresses);
}

/* If shares are equal to the per mille, keys that are not addresses come first: easier to read. */
static int best_first(const void *va, const void *vb)
{
	const struct explain_finding *a = va, *b = vb;
	long share_a = lround(1000 * a->explains), share_b = lround(1000 * b->explains);

	if (share_a != share_b)
		return share_a > share_b ? -1 : 1;
	if (addresses_in(a) != addresses_in(b))
		return addresses_in(a) < addresses_in(b) ? -1 : 1;
	if (a->explains != b->explains)
		return a->explains > b->explains ? -1 : 1;
	return (a->key[1] >= 0) - (b->key[1] >= 0);
}

/* Of keys that explain some of the logarithms, those that go with the slowest calls come first. */
static int slowest_first(const void *va, const void *vb)
{
	const struct explain_finding *a = va, *b = vb;
	bool is_a = a->explains >= EXPLAIN_LEAST, is_b = b->explains >= EXPLAIN_LEAST;

	if (is_a != is_b)
		return is_b - is_a;
	if (is_a && a->log_weight != b->log_weight)
		return a->log_weight > b->log_weight ? -1 : 1;
	return best_first(va, vb);
}

static double share_of(const struct explain *e, const struct explain_group *g, int key)
{
	size_t i;

	for (i = 0; i < e->nr; i++)
		if (e->finding[i].group == g && e->finding[i].key[0] == key &&
		    e->finding[i].key[1] < 0)
			return e->finding[i].explains;
	return 0;
}

/* A pair has to explain a good part of what the better of its keys leaves unexplained. */
static bool is_worth_it(const struct explain *e, const struct explain_finding *f)
{
	double single;

	if (f->key[1] < 0)
		return true;
	single = fmax(share_of(e, f->group, f->key[0]), share_of(e, f->group, f->key[1]));
	/* Of logarithms the interruptions, which nothing explains, are a large part. */
	if (e->by_log)
		return f->explains >= single + EXPLAIN_LEAST && f->explains > 2 * single;
	return f->explains > single + 0.02 && f->explains - single > 0.2 * (1 - single);
}

/* Was the key, which may be in two groups, reported already? */
static bool is_told(const struct explain_finding *told, size_t nr, const struct explain_finding *f)
{
	const char *name[2] = { f->group->key[f->key[0]].text,
				f->key[1] < 0 ? "" : f->group->key[f->key[1]].text };
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct explain_key *key = told[i].group->key;
		const char *second = told[i].key[1] < 0 ? "" : key[told[i].key[1]].text;

		if ((!strcmp(key[told[i].key[0]].text, name[0]) && !strcmp(second, name[1])) ||
		    (!strcmp(key[told[i].key[0]].text, name[1]) && !strcmp(second, name[0])))
			return true;
	}
	return false;
}

/* If times explain nothing, take their logarithms. */
static void take_logarithms(struct explain *e)
{
	bool found = false;
	size_t i;

	for (i = 0; i < e->nr; i++) {
		if (e->finding[i].explains >= EXPLAIN_LEAST)
			return;
		found |= e->finding[i].log_explains >= EXPLAIN_LEAST && e->finding[i].log_worst.nr;
	}
	if (!found)
		return;
	e->by_log = true;
	for (i = 0; i < e->nr; i++) {
		struct explain_finding *f = &e->finding[i];

		f->worst = f->log_worst;
		f->explains = f->worst.nr ? f->log_explains : 0;
		f->outliers = false;
	}
}

bool explain_has_value(const struct explain_finding *f, const struct explain_row *row,
		       const struct explain_value *v)
{
	return row->value[f->key[0]] == v->value[0] &&
	       (f->key[1] < 0 || row->value[f->key[1]] == v->value[1]);
}

void explain_finish(struct explain *e)
{
	bool *keep = mem_zalloc(e->nr, sizeof(*keep));
	size_t i, kept = 0;

	take_logarithms(e);
	for (i = 0; i < e->nr; i++)
		keep[i] = is_worth_it(e, &e->finding[i]);
	for (i = 0; i < e->nr; i++)
		if (keep[i])
			e->finding[kept++] = e->finding[i];
	e->nr = kept;
	if (e->nr)
		qsort(e->finding, e->nr, sizeof(*e->finding),
		      e->by_log ? slowest_first : best_first);
	for (i = 0, kept = 0; i < e->nr; i++)
		if (!is_told(e->finding, kept, &e->finding[i]))
			e->finding[kept++] = e->finding[i];
	e->nr = kept;
	free(keep);
}

void explain_free(struct explain *e)
{
	free(e->finding);
	*e = (struct explain){ 0 };
}
