// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_stacks_text.c - two recordings of stacks, or folded texts, compared by function, for people
 *
 * What is compared comes first in a row, and decides its place and its verdict: counts, or where
 * these would only tell that one side is longer, shares of the totals. The other follows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "diff/diff_stacks.h"
#include "lib/columns.h"
#include "lib/escape.h"
#include "lib/plural.h"

#define LATE_LINES	5	/* each looks at all stacks */
#define ENTRY_LINES	10

/* What differs between the boots, if anything does, and if both sides know their boot. */
static void print_boots(const struct stacks_side side[2])
{
	const struct diff_output o = { .out = stdout };
	struct diff d = { .data = { &side[0].data, &side[1].data } };

	if (!side[0].is_recording || !side[1].is_recording)
		return;
	diff_boot_make(&d);
	if (d.nr_changes)
		diff_print_changes(&o, &d);
	diff_free(&d);
}

/* Which part of the recordings is compared, where it is not all. */
static void print_part(const struct diff_compared *c)
{
	const struct data_unit *unit = c->two->unit;
	const char *sep = "# of samples alone: calls and spans are left out, of";
	int i;

	if (c->query.source)
		printf("# of the source %s alone\n", c->query.source);
	for (i = 0; i < 2; i++) {
		if (!unit[i].nr_left_out)
			continue;
		printf("%s %d source%s in %c", sep, unit[i].nr_left_out,
		       plural(unit[i].nr_left_out), 'A' + i);
		sep = " and";
	}
	if (unit[0].nr_left_out || unit[1].nr_left_out)
		puts(";\n#   --source NAME compares those of one");
}

/* --- the totals, and what is compared --- */

static const char *unit_name(const struct diff_compared *c, int side)
{
	const char *name = c->unit[side].name;

	return *name ? name : "counts, of what the texts count";
}

static void print_totals(const struct diff_compared *c)
{
	int i;

	for (i = 0; i < 2; i++) {
		const struct diff_unit *unit = &c->unit[i];
		struct buf basis = { 0 };

		if (c->side[i].is_recording)
			data_unit_describe(&c->two->unit[i], &c->side[i].data, &basis);
		printf("# %c: ", 'A' + i);
		escape_print(c->side[i].name, stdout);
		printf("  %.*Lf %s%s%s\n", unit->digits, c->two->total[i] / unit->scale,
		       *unit->name ? unit->name : "in all", basis.len ? ": " : "",
		       basis.len ? basis.data : "");
		buf_free(&basis);
	}
}

/* Of the same work, what is longer has taken longer, and shares hide that. */
static void print_same_command(const struct diff_compared *c)
{
	char *a, *b;

	if (!c->two->is_duration || c->two->asked == STACKS_BY_SHARES)
		return;
	a = data_meta(&c->side[0].data, "command");
	b = data_meta(&c->side[1].data, "command");
	if (*a && !strcmp(a, b))
		puts("#   both ran the same command: if that is the same work, that tells what takes longer");
	free(a);
	free(b);
}

static void print_shares(const struct diff_compared *c)
{
	struct buf why = { 0 };

	stacks_why_shares(c->side, c->two, &why);
	fputs("# compared by shares of the total, in percentage points: ", stdout);
	escape_print(why.data, stdout);
	buf_free(&why);
	if (!c->two->unlike && c->two->asked != STACKS_BY_SHARES)
		printf(";\n#   --no-normalize compares %s", *c->unit[1].name ? c->unit[1].name : "counts");
	putchar('\n');
	print_same_command(c);
	print_part(c);
}

static void print_counts(const struct diff_compared *c)
{
	folded_count a = c->two->total[0], b = c->two->total[1];
	const struct diff_unit *unit = &c->unit[1];

	printf("# in all, B - A: %+.*Lf", unit->digits, (b - a) / unit->scale);
	if (a)
		printf(" (%+.1Lf %%)", 100 * (b - a) / a);
	if (c->has_chance)
		printf(", of which up to %.*Lf may be chance", unit->digits,
		       diff_chance(&c->counts, c->two->total) / unit->scale);
	fputc('\n', stdout);
	print_part(c);
	if (a && b && (b > 1.1L * a || a > 1.1L * b))
		printf("# B has %.2Lf times as much in all as A: more of a function may mean no more "
		       "than that; see %%,\n#   or --normalize\n", b / a);
}

/* --- rows --- */

/* What is compared, in its unit: B - A. */
static void add_change(struct columns *columns, const struct diff_compared *c,
		       const folded_count count[2])
{
	if (c->by.is_share)
		columns_add(columns, "%+.2Lf", diff_change(&c->by, count));
	else
		columns_add(columns, "%+.*Lf", c->unit[1].digits,
			    diff_change(&c->by, count) / c->unit[1].scale);
}

static void add_chance(struct columns *columns, const struct diff_compared *c,
		       const folded_count count[2])
{
	if (!c->has_chance)
		columns_add(columns, "-");
	else if (c->by.is_share)
		columns_add(columns, "%.2Lf", diff_chance(&c->by, count));
	else
		columns_add(columns, "%.*Lf", c->unit[1].digits,
			    diff_chance(&c->by, count) / c->unit[1].scale);
}

static void add_counts(struct columns *columns, const struct diff_compared *c,
		       const folded_count count[2])
{
	int i;

	for (i = 0; i < 2; i++)
		columns_add(columns, "%.*Lf", c->unit[i].digits, count[i] / c->unit[i].scale);
}

static void add_shares(struct columns *columns, const struct diff_compared *c,
		       const folded_count count[2])
{
	int i;

	for (i = 0; i < 2; i++)
		columns_add(columns, "%.2Lf", c->shares.by[i] * count[i]);
}

static void print_rows(const struct diff_compared *c, const struct diff_function *function,
		       size_t nr, const struct diff_late *late)
{
	static const char *const by_counts[] = {
		"self B - A", "+-", "self A", "self B", "% A", "% B", "total B - A", "self is",
		"function",
	};
	static const char *const by_shares[] = {
		"self % B - A", "+-", "% A", "% B", "self A", "self B", "total % B - A", "self is",
		"function",
	};
	struct columns columns;
	size_t i;

	columns_begin(&columns, c->by.is_share ? by_shares : by_counts,
		      sizeof(by_counts) / sizeof(*by_counts), 2);
	for (i = 0; i < nr; i++) {
		const struct diff_function *f = &function[i];

		add_change(&columns, c, f->self);
		add_chance(&columns, c, f->self);
		(c->by.is_share ? add_shares : add_counts)(&columns, c, f->self);
		(c->by.is_share ? add_counts : add_shares)(&columns, c, f->self);
		add_change(&columns, c, f->total);
		columns_add(&columns, "%s", diff_function_verdict(c, f, late));
		columns_add(&columns, "%s", f->name);
	}
	columns_print(&columns, stdout);
}

/* What the kernel was entered for: with all that was called, so no row has to be searched for. */
static void print_entries(const struct diff_compared *c, const struct folded *f)
{
	static const char *const by_counts[] = {
		"total B - A", "+-", "total A", "total B", "B / A", "is", "entered for",
	};
	static const char *const by_shares[] = {
		"total % B - A", "+-", "% A", "% B", "B / A", "is", "entered for",
	};
	struct columns columns;
	size_t nr, i, shown;
	struct diff_function *entry = diff_entries(f, &c->by, &nr);

	if (!nr) {
		free(entry);
		return;
	}
	shown = nr < ENTRY_LINES ? nr : ENTRY_LINES;
	fputs("#\n# what the kernel was entered for, with all that was called; by how much it "
	      "differs\n#\n", stdout);
	columns_begin(&columns, c->by.is_share ? by_shares : by_counts,
		      sizeof(by_counts) / sizeof(*by_counts), 2);
	for (i = 0; i < shown; i++) {
		const folded_count *total = entry[i].total;

		add_change(&columns, c, total);
		add_chance(&columns, c, total);
		(c->by.is_share ? add_shares : add_counts)(&columns, c, total);
		columns_add(&columns, total[0] ? "%.2Lf" : "-",
			    c->by.by[1] * total[1] / (c->by.by[0] * total[0]));
		columns_add(&columns, "%s", diff_stacks_verdict(c, total));
		columns_add(&columns, "%s", entry[i].name);
	}
	columns_print(&columns, stdout);
	if (shown < nr)
		printf("# %zu more line%s\n", nr - shown, plural(nr - shown));
	free(entry);
}

/* Of the rows that are shown as late: why, and whose time it is. */
static void print_late(const struct diff_compared *c, const struct diff_function *function,
		       size_t nr, struct diff_late *late)
{
	size_t i, lines = 0;

	for (i = 0; i < nr && lines < LATE_LINES; i++) {
		const struct next_function *f = diff_late_find(late, function[i].name);

		if (!f || !strcmp(diff_stacks_verdict(c, function[i].self), "same"))
			continue;
		diff_late_print(late, f, function[i].self_change);
		lines++;
	}
	if (lines)
		next_print_late(stdout);
}

/* What the numbers of the table are. */
static void print_heading(const struct diff_compared *c)
{
	printf("#\n# ");
	if (!c->by.is_share)
		printf("%s; ", unit_name(c, 1));
	else if (!strcmp(c->unit[0].name, c->unit[1].name))
		printf("%% of the total; self A and self B in %s;\n# ", unit_name(c, 1));
	else
		printf("%% of the total; self A in %s, self B in %s;\n# ",
		       *c->unit[0].name ? c->unit[0].name : "what the text counts",
		       *c->unit[1].name ? c->unit[1].name : "what the text counts");
	fputs("functions by how much they themselves differ; total has what they call in it\n#\n",
	      stdout);
}

void diff_stacks_text(const struct diff_compared *c, const struct folded *f,
		      const struct diff_function *function, size_t nr, struct diff_late *late)
{
	size_t shown = diff_stacks_shown(c->o, nr);

	print_totals(c);
	(c->by.is_share ? print_shares : print_counts)(c);
	if (c->has_chance)
		diff_print_few(c->side, c->samples);
	print_boots(c->side);
	print_heading(c);
	print_rows(c, function, shown, late);
	if (shown < nr)
		printf("# %zu more line%s: --lines N shows more\n", nr - shown, plural(nr - shown));
	if (c->has_chance)
		fputs("# +-: by how much a function differs by chance alone, for so many samples, in 19 of\n"
		      "# 20 rows; same: by no more than that. Longer recordings, or more samples (-F), tell\n"
		      "# smaller differences; what varies from run to run, several runs: A.. -- B..\n",
		      stdout);
	print_late(c, function, shown, late);
	print_entries(c, f);
}
