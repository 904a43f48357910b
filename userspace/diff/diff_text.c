// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_text.c - print a comparison of measurements as text
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "lib/columns.h"
#include "lib/escape.h"
#include "lib/plural.h"

/* Limit the output: kernels of different versions differ in thousands of options. */
#define CONFIG_LINES	20

static void print_sides(const struct diff_output *o, const struct diff *d)
{
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		char *kernel = data_meta(d->data[side], "kernel");
		char *time = data_meta(d->data[side], "time");

		fprintf(o->out, "# %c: ", 'A' + side);
		escape_print(d->path[side], o->out);
		fprintf(o->out, "  %s  %s", time, kernel);
		if (data_duration_ns(d->data[side]))
			fprintf(o->out, "  %.3f s", data_duration_ns(d->data[side]) / 1e9);
		fputc('\n', o->out);
		free(kernel);
		free(time);
	}
}

static bool is_same(const struct diff *d, const char *meta)
{
	char *a = data_meta(d->data[DIFF_A], meta), *b = data_meta(d->data[DIFF_B], meta);
	bool same = *a && !strcmp(a, b);

	free(a);
	free(b);
	return same;
}

static bool has_meta(const struct diff *d, const char *meta)
{
	char *a = data_meta(d->data[DIFF_A], meta), *b = data_meta(d->data[DIFF_B], meta);
	bool has = *a && *b;

	free(a);
	free(b);
	return has;
}

/*
 * Print the durations: a longer measurement has more calls of everything; unless both measured the
 * same work, and nothing else (with --all, no process is given).
 */
static void print_durations(const struct diff_output *o, const struct diff *d)
{
	double a = data_duration_ns(d->data[DIFF_A]), b = data_duration_ns(d->data[DIFF_B]);

	if (!a || !b || (b <= 1.1 * a && a <= 1.1 * b))
		return;
	if (is_same(d, "ended") && is_same(d, "command") && has_meta(d, "pid"))
		fprintf(o->out, "# both ran the same command to its end, B for %.2f times as long as "
			"A: calls compare as they are\n", b / a);
	else
		fprintf(o->out, "# B was measured %.2f times as long as A: more calls may mean no "
			"more than that\n", b / a);
}

/* Latencies are without probe overhead; the intervals allow for what may be left of it. */
static void print_net(const struct diff_output *o, const struct diff *d)
{
	struct buf text = { 0 };

	lat_net_describe(d->data[DIFF_A], "# net, A: ", &text);
	lat_net_describe(d->data[DIFF_B], "# net, B: ", &text);
	if (text.len)
		fputs(text.data, o->out);
	buf_free(&text);
}

static const char *shown(const char *value)
{
	return !value ? "-" : *value ? value : "(set)";
}

void diff_print_changes(const struct diff_output *o, const struct diff *d)
{
	static const char *const names[] = { "differs", "name", "A", "B" };
	struct columns c;
	size_t i, options = 0;

	fputs("#\n", o->out);
	if (!d->nr_changes) {
		fputs("# no difference of kernel, command line, mitigations, probes, settings or "
		      "configuration\n", o->out);
		return;
	}
	columns_begin(&c, names, 4, 4);
	for (i = 0; i < d->nr_changes; i++) {
		const struct diff_change *change = &d->change[i];

		if (!strcmp(change->kind, "config") && options++ >= CONFIG_LINES)
			continue;
		columns_add(&c, "%s", change->kind);
		columns_add(&c, "%s", change->name);
		columns_add(&c, "%s", shown(change->value[DIFF_A]));
		columns_add(&c, "%s", shown(change->value[DIFF_B]));
	}
	columns_print(&c, o->out);
	if (options > CONFIG_LINES)
		fprintf(o->out, "# %zu more option%s: see --json\n", options - CONFIG_LINES,
			plural(options - CONFIG_LINES));
}

void diff_print_absences(const struct diff_output *o, const struct diff *d)
{
	size_t i;

	for (i = 0; i < d->nr_absences; i++) {
		const struct diff_absence *a = &d->absence[i];

		fprintf(o->out, "%s# %s has no calls in %c: %s%s%s\n", i ? "" : "#\n", a->target,
			'A' + a->side, diff_reason_names[a->reason], a->twin ? ": " : "",
			a->twin ? a->twin : "");
	}
}

void diff_add_time(struct columns *c, const struct diff_output *o, double ns, int digits)
{
	columns_add(c, "%.*f", o->unit == LAT_NS ? digits : 3, ns / lat_unit_ns[o->unit]);
}

void diff_add_difference(struct columns *c, const struct diff_output *o, double ns, int digits)
{
	columns_add(c, "%+.*f", o->unit == LAT_NS ? digits : 3, ns / lat_unit_ns[o->unit]);
}

void diff_add_context(struct columns *c, const struct diff *d, const struct lat_row *row)
{
	struct buf text = { 0 };

	if (is_same(d, "machine"))
		lat_context_shown(d->data[DIFF_A], row, &text);
	columns_add(c, "%s", text.len ? text.data : row->context);
	buf_free(&text);
}

static void add_row(struct columns *c, const struct diff_output *o, const struct diff *d,
		    const struct diff_row *row)
{
	const struct lat_row *a = row->side[DIFF_A], *b = row->side[DIFF_B];

	diff_add_difference(c, o, row->cost, 0);
	diff_add_difference(c, o, row->cost_self, 0);
	diff_add_difference(c, o, row->cost_calls, 0);
	diff_add_difference(c, o, row->cost_time, 0);
	columns_add(c, "%" PRIu64, a->calls);
	columns_add(c, "%" PRIu64, b->calls);
	diff_add_time(c, o, lat_avg(a), 1);
	diff_add_time(c, o, lat_avg(b), 1);
	diff_add_difference(c, o, row->difference, 1);
	if (row->confidence.known) {
		diff_add_difference(c, o, row->confidence.low, 1);
		diff_add_difference(c, o, row->confidence.high, 1);
	} else {
		columns_add(c, "-");
		columns_add(c, "-");
	}
	columns_add(c, "%.3f", row->ratio);
	diff_add_time(c, o, a->p50, 0);
	diff_add_time(c, o, b->p50, 0);
	diff_add_time(c, o, a->p99, 0);
	diff_add_time(c, o, b->p99, 0);
	columns_add(c, "%s", diff_calls_names[row->calls]);
	columns_add(c, "%s", diff_verdict_names[row->verdict]);
	columns_add(c, "%s", diff_name(row)->target);
	diff_add_context(c, d, diff_name(row));
}

static bool is_common(const struct diff_row *row)
{
	return row->side[DIFF_A] && row->side[DIFF_B];
}

static void print_common(const struct diff_output *o, const struct diff *d)
{
	static const char *const names[] = {
		"total", "self", "by more calls", "by slower", "calls A", "calls B", "avg A",
		"avg B", "B - A", "from", "to", "ratio", "p50 A", "p50 B", "p99 A", "p99 B",
		"calls", "each is", "target", "context",
	};
	struct columns c;
	size_t i;

	fprintf(o->out, "#\n# latency of calls%s, %s; rows by total of B - total of A\n#\n",
		d->net ? " without their probes' part" : "", lat_unit_names[o->unit]);
	columns_begin(&c, names, sizeof(names) / sizeof(*names), 4);
	for (i = 0; i < diff_rows_shown(o, d); i++)
		if (is_common(&d->row[i]))
			add_row(&c, o, d, &d->row[i]);
	columns_print(&c, o->out);
}

/* Is half of the calls clearly faster where the average is slower, or the other way round? */
static bool is_disputed(const struct diff_row *row)
{
	return is_common(row) && row->p50.known &&
	       ((row->verdict == DIFF_SLOWER && row->p50.high < 0) ||
		(row->verdict == DIFF_FASTER && row->p50.low > 0));
}

static void print_disputed(const struct diff_output *o, const struct diff *d)
{
	size_t i;

	for (i = 0; i < diff_rows_shown(o, d); i++) {
		const struct diff_row *row = &d->row[i];
		const struct lat_row *name = diff_name(row);
		bool slower = row->verdict == DIFF_SLOWER;

		if (is_disputed(row))
			fprintf(o->out, "# %s%s%s is %s on average only: by p50, half of its "
				"calls are %s; a few\n# of %c took long, as interrupted ones do\n",
				name->target, strcmp(name->context, "-") ? " " : "",
				strcmp(name->context, "-") ? name->context : "",
				slower ? "slower" : "faster", slower ? "faster" : "slower",
				slower ? 'B' : 'A');
	}
}

static void print_single(const struct diff_output *o, const struct diff *d)
{
	static const char *const names[] = {
		"total", "calls", "avg", "p50", "p99", "side", "target", "context",
	};
	struct columns c;
	size_t i;

	columns_begin(&c, names, sizeof(names) / sizeof(*names), 3);
	for (i = 0; i < diff_rows_shown(o, d); i++) {
		const struct lat_row *row = diff_name(&d->row[i]);

		if (is_common(&d->row[i]))
			continue;
		diff_add_time(&c, o, row->total, 0);
		columns_add(&c, "%" PRIu64, row->calls);
		diff_add_time(&c, o, lat_avg(row), 1);
		diff_add_time(&c, o, row->p50, 0);
		diff_add_time(&c, o, row->p99, 0);
		columns_add(&c, "%s", diff_verdict_names[d->row[i].verdict]);
		columns_add(&c, "%s", row->target);
		diff_add_context(&c, d, row);
	}
	fputs("#\n", o->out);
	columns_print(&c, o->out);
}

/* The total of a row includes watched calls inside of it, so only self times can be added up. */
static void print_sum(const struct diff_output *o, const struct diff *d)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < d->nr_rows; i++)
		sum += d->row[i].cost_self;
	fprintf(o->out, "#\n# self time of all rows, B - A: %+.*f %s\n", o->unit == LAT_NS ? 0 : 3,
		sum / lat_unit_ns[o->unit], lat_unit_names[o->unit]);
}

static void print_method(const struct diff_output *o, const struct diff *d)
{
	fprintf(o->out,
		"# total, self: of B - of A; the total has in it what other rows show that it calls.\n"
		"# by more calls: (calls of B - calls of A) x average of A; by slower: (average of B -\n"
		"# average of A) x calls of B; both make the total. from, to: 95 %% confidence interval\n"
		"# of B - A (Welch, spread of the calls out of the buckets). same: the interval has zero\n"
		"# in it, or the difference is at most %g %% of A's average. Percentiles are known to a\n"
		"# bucket, which is up to 25 %% wide; averages are exact. One boot against one other: what\n"
		"# varies from boot to boot is in the difference, too.\n", d->threshold);
	if (d->net)
		fputs("# --net: from and to are wider by what of the probes may be left on either side;\n"
		      "# unsure: that is not known.\n", o->out);
}

void diff_print_text(const struct diff_output *o, const struct diff *d)
{
	size_t shown_rows = diff_rows_shown(o, d);

	print_sides(o, d);
	print_durations(o, d);
	if (d->net)
		print_net(o, d);
	diff_print_changes(o, d);
	diff_print_absences(o, d);
	print_common(o, d);
	print_disputed(o, d);
	/* Rows of one side come last. */
	if (shown_rows && !is_common(&d->row[shown_rows - 1]))
		print_single(o, d);
	if (shown_rows < d->nr_rows)
		fprintf(o->out, "# %zu more row%s: --lines N shows more\n", d->nr_rows - shown_rows,
			plural(d->nr_rows - shown_rows));
	print_sum(o, d);
	print_method(o, d);
}
