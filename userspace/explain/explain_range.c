// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_range.c - of a key that was seen by powers of two only: which range of values is slow?
 *
 * A key with many values is grouped by powers of two, so that what begins inside of one is seen as
 * a part of what has that value. Calls with the values that were found are measured once more, in
 * finer steps of such a key. The range looked for is the one that explains most of the variance of
 * the logarithm of their time: interruptions, which are long and few, matter little to it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "lib/mem.h"
#include "lib/number.h"

#define STEPS		64	/* at most, between the lowest and the highest value */
#define TELLS		0.5	/* the share of the variance from which a range is one */

/* --- which keys --- */

/* Parse "[4,8)", or a number, which is a range of one. Returns false if it is neither. */
static bool parse_range(const char *text, uint64_t *low, uint64_t *high)
{
	if (*text != '[') {
		*high = number_take(&text, NUMBER_DECIMAL, low) ? *low + 1 : 0;
		return *high && !*text;
	}
	text++;
	return number_take(&text, NUMBER_DECIMAL, low) && *text++ == ',' &&
	       number_take(&text, NUMBER_DECIMAL, high) && *text == ')' && *low < *high;
}

/* Copy what is inside of log2(), or was grouped by the reader. Returns false for another key. */
static bool copy_key(const struct explain_key *key, char to[64])
{
	size_t len = strlen(key->text);

	if (key->kind == EXPLAIN_LOG2 && len < 64)
		return memcpy(to, key->text, len + 1);
	if (key->kind == EXPLAIN_CONSTANT || strncmp(key->text, "log2(", 5) ||
	    key->text[len - 1] != ')' || len - 5 > 64)
		return false;
	memcpy(to, key->text + 5, len - 6);
	to[len - 6] = '\0';
	return true;
}

/* Between what are the values of a key? Returns false if they are no numbers, or a single one. */
static bool find_bounds(const struct explain_finding *f, const struct explain_group *g, int key,
			struct explain_coarse *c)
{
	uint64_t low, high;
	size_t r;

	c->low = UINT64_MAX;
	c->high = 0;
	for (r = 0; r < g->nr_rows; r++) {
		if (f->group == g && !explain_has_value(f, &g->row[r], &f->worst.value[0]))
			continue;
		if (!parse_range(g->key[key].name[g->row[r].value[key]], &low, &high))
			return false;
		c->low = low < c->low ? low : c->low;
		c->high = high > c->high ? high : c->high;
	}
	return c->high > c->low + 1;
}

static bool is_there(const struct explain_coarse *c, int nr, const char *key)
{
	while (nr--)
		if (!strcmp(c[nr].key, key))
			return true;
	return false;
}

int explain_coarse_find(const struct explain *e, const struct explain_group *group, int nr_groups,
			struct explain_coarse coarse[EXPLAIN_FINER])
{
	const struct explain_finding *f = &e->finding[0];
	int g, k, nr = 0;

	/* The last rounds are those that measured keys together. */
	for (g = nr_groups - 1; g >= 0; g--)
		for (k = 0; k < group[g].nr_keys && nr < EXPLAIN_FINER; k++)
			if (copy_key(&group[g].key[k], coarse[nr].key) &&
			    !is_there(coarse, nr, coarse[nr].key) &&
			    find_bounds(f, &group[g], k, &coarse[nr]))
				nr++;
	return nr;
}

/* --- which calls, and by what --- */

static int add_condition(const struct explain_key *key, const char *value, struct buf *to)
{
	const char *comma = to->len ? "," : "";
	char coarse[64];
	uint64_t low, high;
	int64_t number;

	if (number_key(value, &number) && key->kind == EXPLAIN_EXACT) {
		buf_printf(to, "%s%s==%s", comma, key->text, value);
		return 1;
	}
	if (!copy_key(key, coarse) || !parse_range(value, &low, &high))
		return 0;
	buf_printf(to, "%s%s>=%" PRIu64 ",%s<%" PRIu64, comma, coarse, low, coarse, high);
	return 2;
}

int explain_add_conditions(const struct explain_finding *f, struct buf *conditions)
{
	int i, one, nr = 0;

	for (i = 0; i < 2 && f->key[i] >= 0; i++) {
		const struct explain_key *key = &f->group->key[f->key[i]];

		one = add_condition(key, key->name[f->worst.value[0].value[i]], conditions);
		if (!one)
			return 0;
		nr += one;
	}
	return nr;
}

void explain_add_steps(const struct explain_coarse *coarse, struct buf *keys)
{
	uint64_t step = 1;

	while ((coarse->high - coarse->low) / step > STEPS)
		step *= 2;
	buf_printf(keys, "%slinear(%s,%" PRIu64 ")", keys->len ? "," : "", coarse->key, step);
}

/* --- which range --- */

/* The calls with values of a step, and the sum of the logarithms of their times. */
struct step {
	uint64_t low, high;
	double calls, logs;
};

struct steps {
	struct step *step;
	size_t nr, room;
	double calls, logs, squares;	/* of all; squares of the logarithms */
};

static bool step_of(const struct lat_row *row, int key, struct step *step)
{
	struct explain_piece piece[EXPLAIN_MAX_KEYS];
	char value[64];

	if (explain_take_apart(row->context, piece) <= key ||
	    piece[key].value_len >= sizeof(value))
		return false;
	memcpy(value, piece[key].value, piece[key].value_len);
	value[piece[key].value_len] = '\0';
	return parse_range(value, &step->low, &step->high);
}

static void add_row(struct steps *s, const struct lat_row *row, struct step *to)
{
	double low, high, log_ns;
	size_t i;

	for (i = 0; i < row->nr_buckets; i++) {
		lat_bucket_bounds(row, &row->bucket[i], &low, &high);
		log_ns = log(fmax((low + high) / 2, 1));
		to->calls += row->bucket[i].calls;
		to->logs += log_ns * row->bucket[i].calls;
		s->squares += log_ns * log_ns * row->bucket[i].calls;
	}
}

static int lowest_first(const void *va, const void *vb)
{
	const struct step *a = va, *b = vb;

	return a->low < b->low ? -1 : a->low > b->low;
}

/* A row may be one of several of its step, if there is another key: put them together. */
static void take_rows(struct steps *s, const struct lat_table *t, const char *target, int key)
{
	size_t i, n;

	for (i = 0; i < t->nr; i++) {
		struct step step = { .calls = 0 };

		if (strcmp(t->row[i].target, target) || !step_of(&t->row[i], key, &step))
			continue;
		add_row(s, &t->row[i], &step);
		s->calls += step.calls;
		s->logs += step.logs;
		s->step = mem_grow(s->step, &s->room, s->nr + 1, sizeof(*s->step));
		s->step[s->nr++] = step;
	}
	if (s->nr)
		qsort(s->step, s->nr, sizeof(*s->step), lowest_first);
	for (i = 1, n = 0; i < s->nr; i++) {
		if (s->step[i].low == s->step[n].low) {
			s->step[n].calls += s->step[i].calls;
			s->step[n].logs += s->step[i].logs;
		} else {
			s->step[++n] = s->step[i];
		}
	}
	s->nr = s->nr ? n + 1 : 0;
}

/* Which share of the variance is between calls of a range, which are slower, and the others? */
static double tells(const struct steps *s, double calls, double logs)
{
	double others = s->calls - calls, above, variance;

	if (calls < EXPLAIN_FEW || others < EXPLAIN_FEW)
		return 0;
	above = logs / calls - (s->logs - logs) / others;
	variance = s->squares / s->calls - pow(s->logs / s->calls, 2);
	return above > 0 && variance > 0 ?
	       calls * others / (s->calls * s->calls) * above * above / variance : 0;
}

static double find_best(const struct steps *s, struct explain_range *r)
{
	double best = 0, calls, logs, share;
	size_t i, j;

	for (i = 0; i < s->nr; i++) {
		for (j = i, calls = 0, logs = 0; j < s->nr; j++) {
			calls += s->step[j].calls;
			logs += s->step[j].logs;
			share = tells(s, calls, logs);
			if (share <= best)
				continue;
			best = share;
			r->low = s->step[i].low;
			r->high = s->step[j].high;
			r->calls = calls;
		}
	}
	return best;
}

static double median(struct explain_times *t)
{
	double ns;

	explain_times_sort(t);
	ns = explain_times_below(t, t->calls / 2);
	explain_times_free(t);
	return ns;
}

bool explain_range_find(struct explain_range *r, const struct lat_table *t, const char *target,
			int key)
{
	struct explain_times its = { 0 }, others = { 0 };
	struct steps s = { .nr = 0 };
	struct step step;
	bool found, is_in;
	size_t i;

	*r = (struct explain_range){ 0 };
	take_rows(&s, t, target, key);
	r->all = s.calls;
	found = find_best(&s, r) >= TELLS;
	free(s.step);
	for (i = 0; i < t->nr && found; i++) {
		if (strcmp(t->row[i].target, target) || !step_of(&t->row[i], key, &step))
			continue;
		is_in = step.low >= r->low && step.high <= r->high;
		explain_times_add(is_in ? &its : &others, &t->row[i]);
	}
	r->its = median(&its);
	r->others = median(&others);
	return found;
}
