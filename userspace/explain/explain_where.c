// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_where.c - which callee has the time that calls with the values found take longer?
 *
 * The function is measured by the keys that were found, so what its calls with those values take
 * longer than others is known. Its callees, and theirs, are measured by caller only: their
 * arguments are others. If those calls are slow in a callee, then as many of its calls as there are
 * slow calls take longer by as much. So the callee's longest calls are looked at, as many as that,
 * or a multiple where each call of the function calls it several times.
 *
 * Calls that were interrupted or preempted take long, too, but by chance. Those that take much
 * longer than slow calls do are left out. How many others there are, the calls of the function with
 * other values tell: a callee has a part of these by its part of the time. If next to nothing of
 * its share is left once all of them are taken off, it is not named.
 */
#include <math.h>
#include <string.h>

#include "explain/explain.h"
#include "lib/number.h"

/* The slow calls' typical time, as a part of the usual one, from which on they are slow. */
#define SLOWER		0.1

/* A call that takes longer by less than this part of what slow ones do is a usual one. */
#define BY_CHANCE	0.5

/* A place that was passed at most so often for each slow call is passed only by slow calls. */
#define ONLY_SLOW	1.5

/* So much of a callee's share is left, at least, if all of what is by chance were in it. */
#define SURE		0.1

/* The same text, or the same number. */
static bool is_value(const struct lat_key *key, const char *name)
{
	char text[64];
	int64_t a, b;

	if (key->len == strlen(name) && !memcmp(key->value, name, key->len))
		return true;
	if (key->len >= sizeof(text))
		return false;
	memcpy(text, key->value, key->len);
	text[key->len] = '\0';
	return number_key(text, &a) && number_key(name, &b) && a == b;
}

/* Does a row, by the keys of a finding in their order, have these values of them? */
static bool has_values(const struct lat_row *row, const struct explain_finding *f,
		       const struct explain_value *v)
{
	const char *context = row->context;
	struct lat_key key;
	int i;

	for (i = 0; i < 2 && f->key[i] >= 0; i++)
		if (!lat_next_key(&context, &key) ||
		    !is_value(&key, f->group->key[f->key[i]].name[v->value[i]]))
			return false;
	return true;
}

static bool is_slow(const struct lat_row *row, const struct explain_finding *f)
{
	int i;

	for (i = 0; i < f->worst.nr; i++)
		if (has_values(row, f, &f->worst.value[i]))
			return true;
	return false;
}

/* Returns false if there is no difference to speak of. */
static bool compare(struct explain_slow *s, const struct explain_times *slow,
		    const struct explain_times *others)
{
	double ignored;

	if (slow->calls < EXPLAIN_FEW || others->calls < EXPLAIN_FEW)
		return false;
	s->slow = slow->calls;
	s->calls = slow->calls + others->calls;
	s->usual = explain_times_below(others, others->calls / 2);
	s->each = explain_times_below(slow, slow->calls / 10) - s->usual;
	if (s->each < SLOWER * s->usual || s->each <= 0)
		return false;
	s->excess = explain_times_above(slow, slow->calls, s->usual, 0, s->each, &ignored);
	s->chance = explain_times_above(others, others->calls, s->usual, BY_CHANCE * s->each,
					s->each, &s->nr_chance);
	return true;
}

bool explain_slow_find(struct explain_slow *s, const struct lat_table *t, const char *function,
		       const struct explain_finding *f)
{
	struct explain_times slow = { 0 }, others = { 0 };
	bool found;
	size_t i;

	*s = (struct explain_slow){ .function = function };
	for (i = 0; i < t->nr; i++)
		if (!strcmp(t->row[i].target, function))
			explain_times_add(is_slow(&t->row[i], f) ? &slow : &others, &t->row[i]);
	explain_times_sort(&slow);
	explain_times_sort(&others);
	found = compare(s, &slow, &others);
	explain_times_free(&slow);
	explain_times_free(&others);
	return found;
}

/*
 * The calls from one place: what as many of them as there are slow calls take longer, in all.
 * @usual is increased by what is spent there in a usual call of the function.
 */
static double above_usual(const struct lat_row *row, const struct explain_slow *s, double *usual)
{
	struct explain_times t = { 0 };
	double base = 0, most, sum, ignored;

	explain_times_add(&t, row);
	explain_times_sort(&t);
	most = t.calls;
	if (t.calls > ONLY_SLOW * s->slow) {
		/* The median of those that are not in slow calls, which are the longest. */
		base = explain_times_below(&t, t.calls * (1 + (double)s->slow / s->calls) / 2);
		most = s->slow * fmax(1, t.calls / s->calls) + s->nr_chance;
		*usual += base * t.calls / s->calls;
	}
	sum = explain_times_above(&t, most, base, 0, s->each, &ignored);
	explain_times_free(&t);
	return sum;
}

static bool is_first_of(const struct lat_table *t, size_t row, const char *parent)
{
	size_t i;

	if (!explain_is_called_by(&t->row[row], parent))
		return false;
	for (i = 0; i < row; i++)
		if (!strcmp(t->row[i].target, t->row[row].target) &&
		    explain_is_called_by(&t->row[i], parent))
			return false;
	return true;
}

/* Without the module behind it. */
static void note_place(struct explain_callee *callee, const struct lat_row *row)
{
	const char *context = row->context;
	struct lat_key key;

	if (!lat_next_key(&context, &key))
		return;
	callee->place = key.value;
	for (callee->place_len = 0; callee->place_len < key.len; callee->place_len++)
		if (key.value[callee->place_len] == ' ')
			break;
}

/* A callee, from all places of the function that calls it. */
static void add_callee(struct explain_inside *in, const struct lat_table *t, size_t first,
		       const struct explain_slow *s, const char *parent)
{
	struct explain_callee callee = { .function = t->row[first].target };
	double sum = 0, usual = 0, here, most = -1;
	size_t i;

	for (i = first; i < t->nr; i++) {
		const struct lat_row *row = &t->row[i];

		if (strcmp(row->target, callee.function) || !explain_is_called_by(row, parent))
			continue;
		callee.calls += row->calls;
		here = above_usual(row, s, &usual);
		sum += here;
		if (here <= most)
			continue;
		most = here;
		note_place(&callee, row);
	}
	callee.share = (sum - fmin(1, usual / s->usual) * s->chance) / s->excess;
	callee.share = fmin(1, callee.share);
	callee.sure = (sum - s->chance) / s->excess;
	explain_inside_keep(in, &callee);
}

bool explain_slow_inside(struct explain_inside *in, const struct lat_table *t,
			 const struct explain_slow *s, const char *parent)
{
	size_t i;

	*in = (struct explain_inside){ .calls = s->calls, .is_slow = true };
	for (i = 0; i < t->nr; i++)
		if (strcmp(t->row[i].target, s->function) && is_first_of(t, i, parent))
			add_callee(in, t, i, s, parent);
	return in->nr && in->callee[0].share >= EXPLAIN_MOST && in->callee[0].sure >= SURE;
}
