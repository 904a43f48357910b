// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_runs_text.c - print a comparison of several runs a side as text
 */
#include <stdlib.h>

#include "diff/diff_runs.h"
#include "lib/escape.h"
#include "lib/plural.h"
#include "lib/quote.h"

/* Which part of the recordings is compared, where it is not all. */
static void print_part(const struct diff_output *o, const struct diff_runs *r)
{
	if (r->source)
		fprintf(o->out, "# of the source %s alone\n", r->source);
	if (r->left_out)
		fprintf(o->out, "# of samples alone: calls and spans are left out, of up to %d source%s a "
			"run;\n#   kprof diff --source NAME compares those of one\n", r->left_out,
			plural(r->left_out));
}

/* Whether that is more to do, or longer at the same, who measured knows. */
static void print_longer(const struct diff_output *o, const struct diff_runs *r)
{
	double a = r->total[DIFF_A], b = r->total[DIFF_B];

	if (r->kind == DIFF_FUNCTIONS && a > 0 && b > 0 && (b > 1.1 * a || a > 1.1 * b))
		fprintf(o->out, "# B has %.2f times as much in all as A: if that is because it was "
			"recorded for longer,\n#   --normalize compares shares of the totals\n",
			b / a);
}

static void print_sides(const struct diff_output *o, const struct diff_runs *r)
{
	const struct diff_unit unit = diff_unit_of(r->unit);
	int side;
	size_t i;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		fprintf(o->out, "# %c: %zu run%s:", 'A' + side, r->nr[side], plural(r->nr[side]));
		for (i = 0; i < r->nr[side]; i++) {
			fputc(' ', o->out);
			escape_print(r->path[side][i], o->out);
		}
		if (r->kind == DIFF_LATENCIES) {
			char *kernel = data_meta(&r->first[side], "kernel");

			fprintf(o->out, "  %s", kernel);
			free(kernel);
		} else if (!r->by_shares) {
			fprintf(o->out, "  %.*f %s each", unit.digits,
				r->total[side] / unit.scale, unit.name);
		}
		fputc('\n', o->out);
	}
	print_part(o, r);
	print_longer(o, r);
	fprintf(o->out, "# %zu of %zu row%s tested (%zu test%s), %zu differ; false discovery rate "
		"%g %%, threshold %g %%\n", r->nr_tested, r->nr_rows, plural(r->nr_rows),
		r->nr_tests, plural(r->nr_tests), r->nr_differ,
		r->rate, r->threshold);
}

/* Add the interval of a difference; "-" where it is not known. */
static void add_interval(struct columns *c, const struct diff_output *o, const struct interval *in)
{
	if (in->known) {
		diff_add_difference(c, o, in->low, 1);
		diff_add_difference(c, o, in->high, 1);
	} else {
		columns_add(c, "-");
		columns_add(c, "-");
	}
}

static void add_chance(struct columns *c, const struct diff_values *v)
{
	if (v->tested)
		columns_add(c, "%.4f", v->adjusted);
	else
		columns_add(c, "-");
}

static void add_latency(struct columns *c, const struct diff_output *o, const struct diff *head,
			const struct diff_runs_row *row)
{
	const struct lat_row name = { .target = row->target, .context = row->context };
	const struct diff_values *calls = &row->of[DIFF_CALLS], *avg = &row->of[DIFF_AVG];
	int side;

	diff_add_difference(c, o, row->cost, 0);
	diff_add_difference(c, o, row->cost_calls, 0);
	diff_add_difference(c, o, row->cost_time, 0);
	for (side = 0; side < DIFF_NR_SIDES; side++)
		columns_add(c, "%.1f", calls->side[side].mean);
	add_chance(c, calls);
	for (side = 0; side < DIFF_NR_SIDES; side++) {
		if (avg->side[side].nr)
			diff_add_time(c, o, avg->side[side].mean, 1);
		else
			columns_add(c, "-");
	}
	if (diff_runs_known(avg))
		diff_add_difference(c, o, avg->difference, 1);
	else
		columns_add(c, "-");
	add_interval(c, o, &avg->confidence);
	add_chance(c, avg);
	columns_add(c, "%s", diff_calls_names[row->calls]);
	columns_add(c, "%s", diff_verdict_names[row->verdict]);
	columns_add(c, "%s", row->target);
	diff_add_context(c, head, &name);
}

static void print_latencies(const struct diff_output *o, const struct diff_runs *r)
{
	static const char *const names[] = {
		"total", "by more calls", "by slower", "calls A", "calls B", "q calls", "avg A",
		"avg B", "B - A", "from", "to", "q", "calls", "each is", "target", "context",
	};
	struct columns c;
	size_t i;

	diff_print_changes(o, &r->head);
	diff_print_absences(o, &r->head);
	fprintf(o->out, "#\n# latency of calls%s, %s; means of the runs; rows that differ, then all "
		"others, by total of B - total of A\n#\n",
		r->net ? " without their probes' part" : "", lat_unit_names[o->unit]);
	columns_begin(&c, names, sizeof(names) / sizeof(*names), 4);
	for (i = 0; i < diff_runs_shown(o, r); i++)
		add_latency(&c, o, &r->head, &r->row[i]);
	columns_print(&c, o->out);
}

/* Means have a digit more than whole counts. */
static int digits_of_mean(const struct diff_unit *unit)
{
	return unit->digits ? unit->digits : 1;
}

static void add_change(struct columns *c, const struct diff_unit *unit, double n)
{
	columns_add(c, "%+.*f", digits_of_mean(unit), n / unit->scale);
}

static void add_function(struct columns *c, const struct diff_runs *r,
			 const struct diff_runs_row *row)
{
	const struct diff_values *self = &row->of[DIFF_SELF];
	const struct diff_unit unit = diff_unit_of(r->unit);
	int side;

	add_change(c, &unit, self->difference);
	if (self->confidence.known) {
		add_change(c, &unit, self->confidence.low);
		add_change(c, &unit, self->confidence.high);
	} else {
		columns_add(c, "-");
		columns_add(c, "-");
	}
	for (side = 0; side < DIFF_NR_SIDES; side++)
		columns_add(c, "%.*f", digits_of_mean(&unit), self->side[side].mean / unit.scale);
	for (side = 0; side < DIFF_NR_SIDES; side++)
		columns_add(c, "%.2f", r->total[side] ?
			    100 * self->side[side].mean / r->total[side] : 0);
	add_chance(c, self);
	add_change(c, &unit, row->of[DIFF_TOTAL].difference);
	columns_add(c, "%s", row->differs ? "yes" : "no");
	columns_add(c, "%s", diff_runs_verdict_name(r, row));
	columns_add(c, "%s", row->target);
}

static void print_functions(const struct diff_output *o, const struct diff_runs *r)
{
	static const char *const names[] = {
		"self B - A", "from", "to", "self A", "self B", "% A", "% B", "q", "total B - A",
		"differs", "self is", "function",
	};
	struct columns c;
	size_t i;

	fprintf(o->out, "#\n# %s%s; means of the runs; functions that differ, then all others, by "
		"how much they themselves differ\n#\n",
		*r->unit ? diff_unit_of(r->unit).name : "counts, of what the texts count",
		r->by_shares ? " of the total of each run" : "");
	columns_begin(&c, names, sizeof(names) / sizeof(*names), 3);
	for (i = 0; i < diff_runs_shown(o, r); i++)
		add_function(&c, r, &r->row[i]);
	columns_print(&c, o->out);
}

static void print_method(const struct diff_output *o, const struct diff_runs *r)
{
	if (r->machines > 1)
		fprintf(o->out,
			"# B - A is that within machines: each of the %zu has a mean of its own, of both sides, which\n"
			"# is taken off its runs, and costs a degree of freedom (least squares).\n",
			r->machines);
	fprintf(o->out,
		"# from, to: 95 %% confidence interval of B - A by how the runs of a side differ (%s\n"
		"# t); a run is one value. q: the chance of such a difference where nothing differs,\n"
		"# adjusted for all tests (Benjamini, Hochberg). A row differs if its q is at most %g\n"
		"# and the difference is above %g %% of A: of all q that are so low, %g %% on average are\n"
		"# by chance. -: the same in all runs, or not in %d runs of each side.\n",
		r->machines > 1 ? "Student's" : "Welch's", r->rate / 100, r->threshold, r->rate,
		DIFF_RUNS_MIN);
}

/* What only a recording of samples tells, and only where one is compared with one. */
static void print_next(const struct diff_output *o, const struct diff_runs *r)
{
	struct buf files = { 0 };

	if (r->kind == DIFF_FUNCTIONS && r->nr_differ && r->least) {
		fputs("# next, which of this is time of callers that had interrupts off, and what the "
		      "kernel\n#   was entered for: kprof diff ", o->out);
		quote_add_word(&files, r->path[0][0]);
		buf_add(&files, " ", 1);
		quote_add_word(&files, r->path[1][0]);
		escape_print(files.data, o->out);
		fputc('\n', o->out);
	}
	buf_free(&files);
}

void diff_runs_print_text(const struct diff_output *o, const struct diff_runs *r)
{
	size_t shown = diff_runs_shown(o, r);

	print_sides(o, r);
	if (r->kind == DIFF_LATENCIES)
		print_latencies(o, r);
	else
		print_functions(o, r);
	if (shown < r->nr_rows)
		fprintf(o->out, "# %zu more row%s: --lines N shows more\n", r->nr_rows - shown,
			plural(r->nr_rows - shown));
	print_method(o, r);
	print_next(o, r);
}
