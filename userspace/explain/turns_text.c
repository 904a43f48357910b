// SPDX-License-Identifier: GPL-2.0-only
/*
 * turns_text.c - what determines the turns of a loop, as text for people
 */
#include <inttypes.h>

#include "explain/turns.h"
#include "lib/plural.h"

/* Per cent; what is not all of it never looks as if it was. */
static double percent(uint64_t calls, uint64_t of)
{
	double share = of ? 100.0 * calls / of : 0;

	return calls < of && share > 99.9 ? 99.9 : share;
}

/* Few different turns fit many a formula. */
#define FEW_TURNS	3

static void print_formulas(const struct turns_found *f, FILE *out)
{
	const struct turns_finding *best = &f->best[0];
	int i;

	fprintf(out, "  turns = %s, %.3g %% of %" PRIu64 " call%s\n", best->text,
		percent(best->calls, best->of), best->of, plural(best->of));
	for (i = 1; i < f->nr; i++) {
		if (f->best[i].calls != f->best[i].of || best->calls != best->of)
			continue;
		fprintf(out, "  as right: %s\n", f->best[i].text);
	}
	if (best->distinct <= FEW_TURNS)
		fprintf(out, "  that may be by chance: there are only %zu different numbers of turns\n",
			best->distinct);
}

static void print_decider(const struct turns_found *f, FILE *out)
{
	const struct turns_decider *d = &f->decider;

	fprintf(out, "  turns depend on %s: each of its %zu values has one number of them, %.3g %% of %"
		PRIu64 " calls\n", d->key, d->values, percent(d->calls, d->of), d->of);
}

static void print_unknown(const struct turns_found *f, FILE *out)
{
	fprintf(out, "  unknown: of %d key%s that %s tried, none tells the turns; %.3g %% of the calls "
		"have %" PRIu64 "\n", f->nr_keys, plural(f->nr_keys), f->nr_keys == 1 ? "was" : "were",
		percent(f->usual, f->calls), f->usual_turns);
}

void turns_print(const struct turns_found *f, FILE *out)
{
	if (!f->calls) {
		fputs("  not measured: the function was not called, or no call had a row\n", out);
		return;
	}
	if (f->least == f->most)
		fprintf(out, "  %" PRIu64 " turn%s in each of %" PRIu64 " call%s\n", f->most,
			plural(f->most), f->calls, plural(f->calls));
	else
		fprintf(out, "  %" PRIu64 " to %" PRIu64 " turns, %.1f on average of %" PRIu64 " calls\n",
			f->least, f->most, f->average, f->calls);
	if (f->least != f->most && f->nr)
		print_formulas(f, out);
	if (f->least != f->most && f->decider.key && !turns_is_known(f))
		print_decider(f, out);
	else if (f->least != f->most && !f->nr)
		print_unknown(f, out);
	if (f->without)
		fprintf(out, "  not in it: %" PRIu64 " call%s of a round that found the table of rows full\n",
			f->without, plural(f->without));
}
