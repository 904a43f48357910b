// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_text.c - print the keys that explain the latency as text
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "lib/plural.h"

#define SHOWN	10	/* how many keys and pairs the table has */
#define LONGEST_SHOWN	0.5	/* the share of the total from which the longest calls matter */
#define SLOW_TIMES	4	/* the median, from which on a call is slow */
#define SLOW_SHOWN	0.02	/* the share of the total from which slow calls matter */

/* 100000 as 100,000. */
static void print_count(uint64_t n, FILE *out)
{
	char digits[24];
	int i, len = snprintf(digits, sizeof(digits), "%" PRIu64, n);

	for (i = 0; i < len; i++)
		fprintf(out, "%s%c", i && !((len - i) % 3) ? "," : "", digits[i]);
}

static const struct explain_key *key_of(const struct explain_finding *f, int i)
{
	return &f->group->key[f->key[i]];
}

void explain_keys_of(const struct explain_finding *f, struct buf *keys)
{
	int i;

	for (i = 0; i < 2 && f->key[i] >= 0; i++) {
		const struct explain_key *key = key_of(f, i);

		buf_printf(keys, "%s%s%s%s", i ? "," : "", key->kind == EXPLAIN_LOG2 ? "log2(" : "",
			   key->text, key->kind == EXPLAIN_LOG2 ? ")" : "");
	}
}

static void print_keys(const struct explain_finding *f, FILE *out)
{
	struct buf keys = { 0 };

	explain_keys_of(f, &keys);
	fputs(keys.data, out);
	buf_free(&keys);
}

static void print_table(const struct explain *e, FILE *out)
{
	size_t i;

	fputs(e->by_log ? "#\n# explains  values  key (first what goes with the slowest calls)\n" :
			  "#\n# explains  values  key\n", out);
	for (i = 0; i < e->nr && i < SHOWN; i++) {
		fprintf(out, "   %5.1f %%  %6u  ", 100 * e->finding[i].explains,
			e->finding[i].values);
		print_keys(&e->finding[i], out);
		fputc('\n', out);
	}
}

void explain_print_values(const struct explain_finding *f, const struct explain_value *v,
			  FILE *out)
{
	int i;

	for (i = 0; i < 2 && f->key[i] >= 0; i++)
		fprintf(out, "%s%s=%s", i ? ", " : "", key_of(f, i)->text,
			key_of(f, i)->name[v->value[i]]);
}

static void print_median(struct explain_times *t, FILE *out)
{
	explain_times_sort(t);
	print_count(llround(explain_times_below(t, t->calls / 2)), out);
	fputs(" ns", out);
	explain_times_free(t);
}

/* How long its calls take, and all others: averages also have interruptions, which are long. */
static void print_medians(const struct explain_finding *f, const struct explain_value *v, FILE *out)
{
	struct explain_times its = { 0 }, others = { 0 };
	size_t r;

	for (r = 0; r < f->group->nr_rows; r++)
		explain_times_add(explain_has_value(f, &f->group->row[r], v) ? &its : &others,
				  f->group->row[r].row);
	fputs("; at the median ", out);
	print_median(&its, out);
	fputs(", others ", out);
	print_median(&others, out);
}

static void print_value(const struct explain_finding *f,
			const struct explain_value *v, FILE *out)
{
	double total = 0;
	size_t r;

	for (r = 0; r < f->group->nr_rows; r++)
		total += f->group->row[r].row->total;
	explain_print_values(f, v, out);
	fputs(": ", out);
	print_count(v->calls, out);
	fputs(" of ", out);
	print_count(f->group->calls - f->group->without, out);
	fprintf(out, " calls, %.*f times slower, %.1f %% of the total", v->ratio < 10 ? 1 : 0,
		v->ratio, total ? 100 * v->total / total : 0);
	print_medians(f, v, out);
	fputc('\n', out);
}

/* What was seen by powers of two only may yet explain more. */
static void print_unexplained(const struct explain *e, const struct explain_group *group,
			      int nr_groups, FILE *out)
{
	struct explain_coarse coarse[EXPLAIN_FINER];
	int i, nr = explain_coarse_find(e, group, nr_groups, coarse);

	fprintf(out, "# %.1f %% is explained; the rest goes with none of these keys",
		100 * e->finding[0].explains);
	for (i = 0; i < nr; i++)
		fprintf(out, "%s%s", i ? ", " : " by itself, as far as they\n# were looked at (",
			coarse[i].key);
	fprintf(out, "%s: interruptions, waiting, or what\n# is no key\n",
		nr ? " by powers of two only)" : "");
}

/* Print the key or pair that explains most, and its worst values. */
static void print_best(const struct explain *e, const struct explain_group *group, int nr_groups,
		       FILE *out)
{
	const struct explain_finding *f = &e->finding[0];
	struct buf keys = { 0 }, words = { 0 };
	int i;

	fputs("#\n", out);
	for (i = 0; i < f->worst.nr; i++)
		print_value(f, &f->worst.value[i], out);
	if (f->worst.nr && f->group->round != e->round)
		fprintf(out, "# these are calls of round %d, those of the first line of round %d: each "
			"round measures anew\n", f->group->round, e->round);
	if (e->by_log)
		fputs("# of the logarithm of the time, as a few very long calls, which no key "
		      "explains, hide the rest;\n# times slower: geometric means\n", out);
	else if (f->worst.nr)
		fprintf(out, "# times slower: on average, of which interruptions%s are a part\n",
			e->net ? "" : " and the probe's time");
	if (f->outliers)
		fputs("# mostly by the longest thousandth of the calls\n", out);
	if (f->explains < EXPLAIN_NEARLY_ALL)
		print_unexplained(e, group, nr_groups, out);
	explain_keys_of(f, &keys);
	buf_printf(&words, "%s 'by=%s'", e->target, keys.data);
	fputs("#\n# each value by itself: ", out);
	explain_print_next(&e->again, "lat", words.data, true, out);
	buf_free(&keys);
	buf_free(&words);
}

/* Print the keys that could not explain anything, with the reason. */
static void print_rest(const struct explain_group *group, int nr_groups, FILE *out)
{
	static const struct { enum explain_kind kind; const char *what; } kinds[] = {
		{ EXPLAIN_CONSTANT, "always the same" },
		{ EXPLAIN_ADDRESSES, "too many values, all of them addresses" },
	};
	size_t k;
	int g, i, nr;

	for (k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		for (g = 0, nr = 0; g < nr_groups; g++)
			for (i = 0; i < group[g].nr_keys; i++)
				if (group[g].key[i].kind == kinds[k].kind)
					fprintf(out, "%s%s", nr++ ? ", " : "# left out: ",
						group[g].key[i].text);
		if (nr)
			fprintf(out, ": %s\n", kinds[k].what);
	}
}

/* Calls without a row: what does that mean for the best key? */
static void print_without(const struct explain *e, const struct explain_group *g, bool found,
			  FILE *out)
{
	if (!g->without)
		return;
	fputs("# left out", out);
	if (g->round)
		fprintf(out, " in round %d", g->round);
	fprintf(out, ": %" PRIu64 " of %" PRIu64 " call%s that found the table of rows full: ",
		g->without, g->calls, plural(g->calls));
	if (found && e->finding[0].group != g)
		fprintf(out, "the result above is not affected,\n# being of round %d; but what %s and so "
			"on explain is only of the others, whose values came first\n",
			e->finding[0].group->round, g->nr_keys ? g->key[0].text : "-");
	else
		fputs("the result above is of the\n# others, whose values came first\n", out);
}

/* Are there too few calls for any key to distinguish them? */
static bool too_few(const struct explain *e)
{
	size_t i;

	if (e->calls < 2 * EXPLAIN_FEW)
		return true;
	for (i = 0; i < e->nr; i++)
		if (e->finding[i].values)
			return false;
	return e->nr > 0;
}

static void print_nothing(const struct explain *e, FILE *out)
{
	if (too_few(e))
		fprintf(out, "#\ntoo few calls to tell: a value of a key counts from %d calls on, and "
			"needs others to be\ncompared with; measure for longer (-d), or a workload "
			"that calls it more often\n", EXPLAIN_FEW);
	else
		fprintf(out, "#\nnothing explains it: no key, and no pair of keys, that was looked at "
			"tells fast calls\nfrom slow ones (%g %% of the variance would be needed)\n",
			100 * EXPLAIN_LEAST);
}

/* The command that shows each of the calls that take longer. */
static void print_trace(const struct explain *e, double ns, FILE *out)
{
	struct buf words = { 0 };

	buf_printf(&words, "%s by=caller,comm min=%.0fns", e->target, ns);
	explain_print_next(&e->again, "trace", words.data, false, out);
	buf_free(&words);
}

/* If a handful of calls, which no key can explain, took most of the time: how to see them. */
static bool print_longest(const struct explain *e, FILE *out)
{
	if (e->longest < LONGEST_SHOWN)
		return false;
	fprintf(out, "%.0f %% of the total is time of the longest %d calls, which are too few to compare; "
		"each of them:\n", 100 * e->longest, EXPLAIN_LONGEST);
	print_trace(e, 1.2 * e->longest_ns, out);
	return true;
}

/* Calls that are slow though no key tells which: how many there are, and how to see them. */
static void print_slow(const struct explain *e, const struct explain_group *group, FILE *out)
{
	struct explain_times t = { 0 };
	double from, all = 0, slow = 0, calls = 0;
	size_t i;

	for (i = 0; i < group->nr_rows; i++)
		explain_times_add(&t, group->row[i].row);
	explain_times_sort(&t);
	from = SLOW_TIMES * explain_times_below(&t, t.calls / 2);
	for (i = 0; i < t.nr; i++) {
		double ns = t.time[i].ns * t.time[i].calls;

		all += ns;
		slow += t.time[i].ns < from ? 0 : ns;
		calls += t.time[i].ns < from ? 0 : t.time[i].calls;
	}
	/* Where half of the calls take less than a tick of the clock, none is so many times it. */
	if (from > 0 && calls >= EXPLAIN_FEW && slow >= SLOW_SHOWN * all) {
		print_count(calls, out);
		fputs(" of ", out);
		print_count(t.calls, out);
		fprintf(out, " calls take the %d-fold of the median or longer, %.1f %% of the total; "
			"each of them:\n", SLOW_TIMES, 100 * slow / all);
		print_trace(e, from, out);
	}
	explain_times_free(&t);
}

/* The command that shows them alone, unless that has more conditions than a target can. */
static void print_these(const struct explain_range *r, const struct explain_coarse *coarse,
			const struct explain *e, FILE *out)
{
	struct buf conditions = { 0 }, words = { 0 };

	if (explain_add_conditions(&e->finding[0], &conditions) + 2 <= EXPLAIN_CONDITIONS) {
		buf_printf(&words, "%s 'if=%s,%s>=%" PRIu64 ",%s<%" PRIu64 "'", e->target,
			   conditions.data, coarse->key, r->low, coarse->key, r->high);
		fputs("# these by themselves: ", out);
		explain_print_next(&e->again, "lat", words.data, true, out);
	}
	buf_free(&conditions);
	buf_free(&words);
}

void explain_print_range(const struct explain_range *r, const struct explain_coarse *coarse,
			 const struct explain *e, int round, FILE *out)
{
	const struct explain_finding *f = &e->finding[0];

	fprintf(out, "#\n# round %d: calls with ", round);
	explain_print_values(f, &f->worst.value[0], out);
	fprintf(out, " alone, in finer steps of %s\n", coarse->key);
	if (!r) {
		fprintf(out, "# no range of it tells slow ones from others\n");
		return;
	}
	fprintf(out, "%s=[%" PRIu64 ",%" PRIu64 "): ", coarse->key, r->low, r->high);
	print_count(r->calls, out);
	fputs(" of ", out);
	print_count(r->all, out);
	fputs(" of these; at the median ", out);
	print_count(llround(r->its), out);
	fputs(" ns, others ", out);
	print_count(llround(r->others), out);
	fputs(" ns\n", out);
	print_these(r, coarse, e, out);
}

void explain_print(const struct explain *e, const struct explain_group *group, int nr_groups,
		   FILE *out)
{
	bool found = e->nr && e->finding[0].explains >= EXPLAIN_LEAST;
	int g;

	fprintf(out, "# %s: ", e->target);
	print_count(e->calls, out);
	fprintf(out, " calls, %.0f ns on average", e->calls ? e->total / e->calls : 0);
	if (e->round)
		fprintf(out, " in round %d", e->round);
	fprintf(out, "; the share of the variance%s that a key explains\n",
		e->by_log ? " of its logarithm" : "");
	fputs(e->net ? e->net : "# times are as measured, with what the probe adds (--net takes that "
				"off)\n", out);
	if (e->nr)
		print_table(e, out);
	if (found)
		print_best(e, group, nr_groups, out);
	else
		print_nothing(e, out);
	if (!found && !print_longest(e, out) && nr_groups)
		print_slow(e, &group[0], out);
	print_rest(group, nr_groups, out);
	for (g = 0; g < nr_groups; g++)
		print_without(e, &group[g], found, out);
	fputs("# a key is what goes with the time, which need not be its cause; arguments that the "
	      "function\n# does not have are what happens to be in their registers\n", out);
}
