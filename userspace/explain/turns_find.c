// SPDX-License-Identifier: GPL-2.0-only
/*
 * turns_find.c - look for the formulas that give the turns of a loop, and for keys that decide them
 *
 * Each formula is tried on all rows, those with the most calls first, until it is wrong for too
 * many. Its constants come from a row or two. A formula has to be right for calls that do not turn
 * as often as most of them do: any number is right for those.
 */
#include <stdlib.h>
#include <string.h>

#include "explain/turns.h"
#include "lib/mem.h"

#define MAX_PLUS	2	/* that is added to a formula, or subtracted */
#define MAX_SHIFT	40
#define MAX_FACTOR	64
#define NEARLY		0.99	/* of calls: for the others a decider may be wrong */
#define ALL		0.999	/* of calls: better is not looked for */

/* A search in the rows of a round. */
struct search {
	const struct turns_table *t;
	struct turns_found *found;
	const struct turns_row *lead;	/* the most calls that turn at all */
	const struct turns_row *most;	/* the most turns */
};

/* --- how good a formula is --- */

static int by_number(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

static size_t count_distinct(uint64_t *number, size_t nr)
{
	size_t i, distinct = 0;

	qsort(number, nr, sizeof(*number), by_number);
	for (i = 0; i < nr; i++)
		distinct += !i || number[i] != number[i - 1];
	return distinct;
}

/* Half of the calls that do not turn as often as most do have to be right. */
static uint64_t calls_needed(const struct turns_table *t)
{
	return t->usual + (t->calls - t->usual + 1) / 2;
}

/* The calls for which it is right; 0 if these are fewer than @needed. */
static uint64_t try_on_all(const struct turns_table *t, const struct turns_formula *f,
			   uint64_t needed)
{
	uint64_t wrong = 0;
	size_t i;

	for (i = 0; i < t->nr && wrong <= t->calls - needed; i++)
		if (turns_of(f, t->row[i].value) != t->row[i].turns)
			wrong += t->row[i].calls;
	return wrong <= t->calls - needed ? t->calls - wrong : 0;
}

static size_t distinct_turns(const struct turns_table *t, const struct turns_formula *f)
{
	uint64_t *turns = mem_zalloc(t->nr, sizeof(*turns));
	size_t i, nr = 0;

	for (i = 0; i < t->nr; i++)
		if (turns_of(f, t->row[i].value) == t->row[i].turns)
			turns[nr++] = t->row[i].turns;
	nr = count_distinct(turns, nr);
	free(turns);
	return nr;
}

/* --- the best so far --- */

/* Shares, as the rounds have different calls; to the per mille. */
static bool is_better(const struct turns_finding *a, const struct turns_finding *b)
{
	uint64_t share_a = 1000.0 * a->calls / a->of, share_b = 1000.0 * b->calls / b->of;

	if (share_a != share_b)
		return share_a > share_b;
	return turns_cost(&a->formula) < turns_cost(&b->formula);
}

static void insert(struct turns_found *found, struct turns_finding finding)
{
	int i = found->nr;

	if (i == TURNS_FOUND && !is_better(&finding, &found->best[i - 1])) {
		free(finding.text);
		return;
	}
	if (i == TURNS_FOUND)
		free(found->best[--i].text);
	else
		found->nr++;
	for (; i > 0 && is_better(&finding, &found->best[i - 1]); i--)
		found->best[i] = found->best[i - 1];
	found->best[i] = finding;
}

/* Of the same keys, only the best formula is of interest. @best is that of the keys so far. */
static void consider(const struct search *s, struct turns_finding *best,
		     const struct turns_formula *f)
{
	uint64_t needed = best->calls ? best->calls : calls_needed(s->t);
	struct turns_finding finding = {
		.formula = *f, .of = s->t->calls, .calls = try_on_all(s->t, f, needed),
	};

	if (!finding.calls || (best->calls && !is_better(&finding, best)))
		return;
	finding.distinct = distinct_turns(s->t, f);
	if (finding.distinct > 1)
		*best = finding;
}

/* --- the formulas of a key, or of two --- */

/* With what has to be added for the lead to be right, if that is little. */
static void consider_plus(const struct search *s, struct turns_finding *best,
			  struct turns_formula f)
{
	f.plus = 0;
	f.plus = s->lead->turns - turns_of(&f, s->lead->value);
	if (f.plus >= -MAX_PLUS && f.plus <= MAX_PLUS)
		consider(s, best, &f);
}

static void consider_masks(const struct search *s, struct turns_finding *best,
			   struct turns_formula f)
{
	static const unsigned char field[] = { 8, 16, 32 };
	unsigned int bits, i;

	f.form = TURNS_MASK;
	for (bits = 2; bits <= 32; bits++) {
		f.by = (UINT64_C(1) << bits) - 1;
		consider_plus(s, best, f);
	}
	f.form = TURNS_FIELD;
	for (f.by = 4; f.by <= 56; f.by += 4) {
		for (i = 0; i < sizeof(field); i++) {
			f.mask = (UINT64_C(1) << field[i]) - 1;
			consider_plus(s, best, f);
		}
	}
}

/* Numbers that the operand of the call with the most turns can have been divided by. */
static void consider_divisors(const struct search *s, struct turns_finding *best,
			      struct turns_formula f, int64_t x)
{
	uint64_t turns = s->most->turns, from = x / (turns + 2);
	uint64_t to = x / (turns > 1 ? turns - 1 : 1);

	if (to - from > 256)
		return;
	for (f.by = from > 3 ? from : 3; f.by <= to; f.by++) {
		f.form = TURNS_DIVIDE;
		consider_plus(s, best, f);
		f.form = TURNS_DIVIDE_UP;
		consider_plus(s, best, f);
	}
}

static void consider_constants(const struct search *s, struct turns_finding *best,
			       struct turns_formula f)
{
	int64_t x = turns_operand(&f, s->most->value);

	for (f.by = 1; f.by <= MAX_SHIFT; f.by++) {
		f.form = TURNS_SHIFT;
		consider_plus(s, best, f);
		f.form = TURNS_SHIFT_UP;
		consider_plus(s, best, f);
	}
	if (x <= 0)
		return;
	consider_divisors(s, best, f, x);
	f.form = TURNS_MULTIPLY;
	f.by = (s->most->turns + MAX_PLUS) / x;
	if (f.by > 1 && f.by <= MAX_FACTOR)
		consider_plus(s, best, f);
	f.form = TURNS_AT_MOST;
	f.by = s->most->turns;
	consider(s, best, &f);
}

static void consider_bits(const struct search *s, struct turns_finding *best,
			  struct turns_formula f)
{
	for (f.form = TURNS_BITS; f.form <= TURNS_FIRST_BIT; f.form++)
		consider_plus(s, best, f);
}

static void keep(const struct search *s, struct turns_finding *best)
{
	struct buf text = { 0 };

	if (!best->calls)
		return;
	turns_print_formula(&best->formula, s->t->key, &text);
	best->text = text.data;
	insert(s->found, *best);
}

static void look_at_key(const struct search *s, int key)
{
	struct turns_formula f = { .pair = TURNS_ONE, .key = { key } };
	struct turns_finding best = { .calls = 0 };

	consider_plus(s, &best, f);
	consider_masks(s, &best, f);
	consider_constants(s, &best, f);
	consider_bits(s, &best, f);
	keep(s, &best);
}

static bool is_symmetric(enum turns_pair pair)
{
	return pair == TURNS_SUM || pair == TURNS_PRODUCT || pair == TURNS_LESSER;
}

static void look_at_pair(const struct search *s, int a, int b)
{
	struct turns_finding best = { .calls = 0 };
	struct turns_formula f = { .key = { a, b } };

	for (f.pair = TURNS_DIFFERENCE; f.pair < TURNS_NR_PAIRS; f.pair++) {
		if (b < a && is_symmetric(f.pair))
			continue;
		f.form = TURNS_AS_IS;
		consider_plus(s, &best, f);
		if (f.pair == TURNS_DIFFERENCE)
			consider_constants(s, &best, f);
	}
	keep(s, &best);
}

static void look_at_pairs(const struct search *s)
{
	const struct turns_table *t = s->t;
	int a, b;

	for (a = 0; a < t->nr_keys; a++)
		for (b = 0; b < t->nr_keys; b++)
			if (a != b && !t->is_text[a] && !t->is_text[b])
				look_at_pair(s, a, b);
}

/* --- keys that decide --- */

struct decided {
	int64_t value;
	uint64_t turns, calls;
};

static int by_value(const void *va, const void *vb)
{
	const struct decided *a = va, *b = vb;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return by_number(&a->turns, &b->turns);
}

/* Of each value, the calls that have its most frequent number of turns. */
static void judge(struct turns_decider *d, struct decided *row, size_t nr)
{
	uint64_t calls = 0, most = 0;
	size_t i;

	qsort(row, nr, sizeof(*row), by_value);
	for (i = 0; i < nr; i++) {
		bool is_new = !i || row[i].value != row[i - 1].value;

		if (is_new) {
			d->calls += most;
			d->values++;
			most = 0;
		}
		calls = is_new || row[i].turns != row[i - 1].turns ? row[i].calls :
			calls + row[i].calls;
		most = calls > most ? calls : most;
	}
	d->calls += most;
}

static void look_for_decider(const struct search *s, int key)
{
	struct decided *row = mem_zalloc(s->t->nr, sizeof(*row));
	struct turns_decider d = { .of = s->t->calls }, *best = &s->found->decider;
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < s->t->nr; i++)
		row[i] = (struct decided){
			s->t->row[i].value[key], s->t->row[i].turns, s->t->row[i].calls,
		};
	judge(&d, row, s->t->nr);
	free(row);
	/* A value that came a few times only has few numbers of turns by itself. */
	if (d.values < 2 || d.of < d.values * EXPLAIN_FEW || d.calls < NEARLY * d.of ||
	    d.calls < calls_needed(s->t))
		return;
	if (best->key && (double)best->calls / best->of >= (double)d.calls / d.of)
		return;
	free(best->key);
	*best = d;
	buf_printf(&text, "%s", s->t->key[key]);
	best->key = text.data;
}

/* --- a round --- */

static void note_turns(struct turns_found *f, const struct turns_table *t)
{
	if (t->without > f->without)
		f->without = t->without;
	f->nr_keys += t->nr_keys;
	if (f->calls)
		return;
	f->calls = t->calls;
	f->usual_turns = t->usual_turns;
	f->usual = t->usual;
	f->least = t->least;
	f->most = t->most;
	f->average = t->average;
}

void turns_add(struct turns_found *f, const struct turns_table *t)
{
	struct search s = { .t = t, .found = f };
	size_t i;
	int a;

	note_turns(f, t);
	for (i = 0; i < t->nr; i++) {
		if (!s.lead && t->row[i].turns)
			s.lead = &t->row[i];
		if (!s.most || t->row[i].turns > s.most->turns)
			s.most = &t->row[i];
	}
	if (t->usual == t->calls)
		return;
	for (a = 0; a < t->nr_keys; a++) {
		look_for_decider(&s, a);
		if (!t->is_text[a])
			look_at_key(&s, a);
	}
	if (!turns_is_known(f))
		look_at_pairs(&s);
}

bool turns_is_known(const struct turns_found *f)
{
	return f->usual == f->calls || (f->nr && f->best[0].calls >= ALL * f->best[0].of);
}

void turns_found_free(struct turns_found *f)
{
	while (f->nr)
		free(f->best[--f->nr].text);
	free(f->decider.key);
	*f = (struct turns_found){ .nr = 0 };
}
