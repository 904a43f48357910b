// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_text.c - print the table of latencies as text, with notes on its reliability
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/account.h"
#include "data/meta_text.h"
#include "lat/lat.h"
#include "lib/columns.h"
#include "lib/number.h"
#include "lib/plural.h"
#include "symbols/kernel_names.h"

#define FAR		1000	/* report a maximum that is so many times the 99th percentile */
#define FAR_CALLS	100	/* of fewer calls these are hardly different */
#define SILENT_MAX	10	/* names of targets that nobody called; of others, how many */
#define LARGE		3	/* report a probe that costs more than this part of the average */
#define COARSE_NS	16	/* report a clock whose tick is at least this long */

const char *const lat_unit_names[] = { "ns", "us", "ms" };
const double lat_unit_ns[] = { 1, 1e3, 1e6 };

static void add_context(struct columns *c, const struct lat_output *o, const struct lat_row *row)
{
	struct buf text = { 0 };

	lat_context_shown(o->data, row, &text);
	columns_add(c, "%s", text.data);
	buf_free(&text);
}

static void add_row(struct columns *c, const struct lat_output *o, const struct lat_row *row,
		    double self)
{
	const double value[] = {
		row->total, row->self, lat_avg(row), row->min, row->p50, row->p90, row->p99,
		row->max,
	};
	const int digits = o->unit == LAT_NS ? 0 : 3;
	/* A point takes no time: 0 would be a measured value. */
	const bool has_time = row->total || row->max || o->net;
	size_t i;

	if (self > 0)
		columns_add(c, "%.1f", 100 * row->self / self);
	else
		columns_add(c, "-");
	columns_add(c, "%" PRIu64, row->calls);
	columns_add(c, "%" PRIu64, row->missed);
	for (i = 0; i < sizeof(value) / sizeof(*value); i++) {
		if (has_time)
			columns_add(c, "%.*f", digits, value[i] / lat_unit_ns[o->unit]);
		else
			columns_add(c, "-");
	}
	if (o->net && !row->net)
		columns_add(c, "not net");
	else if (o->net && row->unsure_ns == LAT_UNKNOWN)
		columns_add(c, "?");
	else if (o->net)
		columns_add(c, "%.*f", digits, row->unsure_ns / lat_unit_ns[o->unit]);
	columns_add(c, "%s", row->target);
	add_context(c, o, row);
}

static void print_rows(const struct lat_output *o, const struct lat_table *t)
{
	static const char *const names[] = {
		"%", "calls", "missed", "total", "self", "avg", "min", "p50", "p90", "p99", "max",
		"target", "context",
	};
	static const char *const net_names[] = {
		"%", "calls", "missed", "total", "self", "avg", "min", "p50", "p90", "p99", "max",
		"less", "target", "context",
	};
	size_t i, nr = lat_rows_shown(o, t);
	uint64_t calls = 0;
	double self = 0;
	struct columns c;

	for (i = 0; i < t->nr; i++) {
		calls += t->row[i].calls;
		self += t->row[i].self;
	}

	if (o->net)
		columns_begin(&c, net_names, sizeof(net_names) / sizeof(*net_names), 2);
	else
		columns_begin(&c, names, sizeof(names) / sizeof(*names), 2);
	for (i = 0; i < nr; i++)
		add_row(&c, o, &t->row[i], self);
	columns_print(&c, o->out);
	if (nr < t->nr)
		fprintf(o->out, "# %zu more row%s%s\n", t->nr - nr, plural(t->nr - nr),
			o->lines < 0 ? ": --lines N shows more" : "");
	fprintf(o->out, "# in all: %" PRIu64 " call%s, %.*f %s of self time, which %% is of",
		calls, plural(calls), o->unit == LAT_NS ? 0 : 3, self / lat_unit_ns[o->unit],
		lat_unit_names[o->unit]);
	fprintf(o->out, "%s%s\n", t->nr > 1 ? "; rows are sorted by " : "",
		t->nr > 1 ? lat_sort_names[o->sort] : "");
}

/* Print what is known of the probe overhead in latencies. */
static void print_seen(const struct lat_output *o, const struct lat_probe *p)
{
	fprintf(o->out, "a watched call takes %" PRIu64 " ns longer; %" PRIu64, p->cost_ns,
		p->seen_ns);
	if (!o->net) {
		fputs(" ns of it are in each latency above\n", o->out);
		return;
	}
	fputs(" ns of it are taken off each latency above", o->out);
	if (p->varies)
		fprintf(o->out, ", and as it varies up to %" PRIu64 " ns more are still in it%s\n",
			p->high_ns - p->seen_ns, strcmp(p->kind, "direct_long") ? "" :
			"; a key that needs registers, such as caller, costs more than that");
	else
		fputs("; how much that varies is not known\n", o->out);
}

static void print_probes(const struct lat_output *o)
{
	struct lat_probe probe[LAT_NR_PROBES];
	int i, nr = lat_probes(o->data, probe);

	if (!nr)
		fputs("# probe: the module does not say how targets are watched, at what cost\n",
		      o->out);
	for (i = 0; i < nr; i++) {
		const struct lat_probe *p = &probe[i];

		fprintf(o->out, "# probe: %s, for %s: ", p->kind, p->few.data);
		if (p->calibrated)
			print_seen(o, p);
		else
			fputs("its cost is not calibrated\n", o->out);
	}
	lat_probes_free(probe);
}

static void print_reasons(const struct lat_output *o)
{
	struct lat_reason reason[LAT_REASONS];
	int i, nr = lat_reasons(o->data, reason);

	for (i = 0; i < nr; i++)
		fprintf(o->out, "# no trampoline, which would cost less, for %s: %s\n",
			reason[i].few.data, reason[i].text.data);
	lat_reasons_free(reason);
}

/* Print the tick of a coarse clock, as many arm64 machines have: it shows in latencies. */
static void print_clock(const struct lat_output *o)
{
	struct buf text = { 0 };
	uint64_t tick = 0;

	if (data_text_value(&o->data->text[DATA_STATS], "clock.tick_ns", &text))
		tick = number_or_0(text.data);
	buf_free(&text);
	if (tick >= COARSE_NS)
		fprintf(o->out, "# clock: it ticks every %" PRIu64 " ns: no call is measured finer, and "
			"0 is less than a tick\n", tick);
}

/* If calls inside of a call are watched, its latency includes all that their probes cost. */
static void print_nested(const struct lat_output *o, const struct lat_table *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->row[i].self < t->row[i].total)
			break;
	if (i < t->nr)
		fprintf(o->out, "# watched calls inside of others: what their probes cost is %s\n",
			o->net ? "still in the total of those" : "in the latency of those, too");
}

/* "NAME", or "NAME and 2 others", in the first row of which it is so. */
static void add_rows(struct buf *out, const struct lat_row *first, size_t nr)
{
	buf_printf(out, "%s", first->target);
	if (nr > 1)
		buf_printf(out, " and %zu other row%s", nr - 1, plural(nr - 1));
}

/* A few calls that were interrupted may be most of the total and of the average. */
static void print_far(const struct lat_output *o, const struct lat_table *t)
{
	const struct lat_row *first = NULL;
	size_t i, nr = 0;
	struct buf names = { 0 };

	for (i = 0; i < lat_rows_shown(o, t); i++) {
		const struct lat_row *row = &t->row[i];

		if (row->calls < FAR_CALLS || !row->p99 || row->max / FAR < row->p99)
			continue;
		first = first ? first : row;
		nr++;
	}
	if (!nr)
		return;
	add_rows(&names, first, nr);
	fprintf(o->out, "# %s: max is %d x p99 or more, so total and avg are of a few calls that "
		"were interrupted or\n# that waited: look at p50 and p99\n", names.data, FAR);
	buf_free(&names);
}

/* Warn of averages that are largely what the probe costs. */
static void print_cost(const struct lat_output *o, const struct lat_table *t)
{
	struct lat_probe probe[LAT_NR_PROBES];
	int nr_probes = lat_probes(o->data, probe);
	const struct lat_row *first = NULL;
	size_t i, nr = 0;
	struct buf names = { 0 };
	uint64_t seen = 0;

	for (i = 0; i < lat_rows_shown(o, t) && !o->net; i++) {
		const struct lat_row *row = &t->row[i];
		const struct lat_probe *p = lat_probe_of(row, o->data, probe, nr_probes);

		if (!p || !row->total || p->seen_ns * LARGE <= lat_avg(row))
			continue;
		if (!nr++) {
			first = row;
			seen = p->seen_ns;
		}
	}
	if (nr) {
		add_rows(&names, first, nr);
		fprintf(o->out, "# warning: %s: over a third of avg is the probe's own time (%"
			PRIu64 " of %.0f ns), not the call's: --net takes it off\n", names.data,
			seen, lat_avg(first));
		buf_free(&names);
	}
	lat_probes_free(probe);
}

static void print_losses(const struct lat_output *o)
{
	struct buf causes = { 0 };
	uint64_t lost = account_dropped(&o->data->text[DATA_STATS_BEFORE],
					&o->data->text[DATA_STATS], &causes);

	fprintf(o->out, "# lost: %" PRIu64 " call%s%s%s\n", lost, plural(lost), lost ? ": " : "",
		lost ? causes.data : "");
	buf_free(&causes);
}

/* That a function is called on one of two machines only may be what matters. */
static void print_silent(const struct lat_output *o)
{
	struct buf names = { 0 };
	size_t nr = account_silent(o->data, SILENT_MAX, &names);

	if (nr)
		fprintf(o->out, "# no call of %s", names.data);
	if (nr > SILENT_MAX)
		fprintf(o->out, " and %zu more", nr - SILENT_MAX);
	if (nr)
		fputc('\n', o->out);
	buf_free(&names);
}

static bool targets_have(const struct lat_output *o, const char *text)
{
	const struct buf *targets = &o->data->text[DATA_TARGETS];

	return targets->len && strstr(targets->data, text);
}

/* If no calls are left, print a possible reason. */
static void print_cause(const struct lat_output *o, uint64_t left_out, uint64_t own)
{
	if (!left_out && targets_have(o, "@irqsoff"))
		fputs("# no call: @irqsoff sees what takes longer than a period of the timer, and only "
		      "where that takes\n# samples: 'kprof record -F 4999 -t @irqsoff'\n", o->out);
	else if (!left_out)
		fprintf(o->out, "# no call: nobody %scalled it meanwhile\n",
			own ? "but kprof " : "");
	else if ((targets_have(o, "comm==") || targets_have(o, "comm=") ||
		  targets_have(o, "comm!=")) && (targets_have(o, "*") || targets_have(o, "?")))
		fputs("# all calls were left out: if= compares texts as they are, without patterns; "
		      "--comm 'NAME*' takes\n# patterns\n", o->out);
	else
		fputs("# all calls were left out: see whether if=, min=, --pid, --comm and --cpus "
		      "hold for any call, such as\n# by measuring without them and by=KEY; with a command, --all takes calls "
		      "of others, too\n",
		      o->out);
}

static void print_left_out(const struct lat_output *o, const struct lat_table *t)
{
	uint64_t at_entry, at_return, own, calls = 0;
	size_t i;

	account_left_out(&o->data->text[DATA_STATS_BEFORE], &o->data->text[DATA_STATS],
			 &at_entry, &at_return);
	for (i = 0; i < t->nr; i++)
		calls += t->row[i].calls;
	if (at_entry || at_return || targets_have(o, " if=") || targets_have(o, " min="))
		fprintf(o->out, "# left out: %" PRIu64 " call%s by pid, comm, cpus or if= at the "
			"entry, %" PRIu64 " by min= or if= at the return\n", at_entry,
			plural(at_entry), at_return);
	own = account_growth(&o->data->text[DATA_STATS_BEFORE], &o->data->text[DATA_STATS],
			     "dropped_own");
	if (own)
		fprintf(o->out, "# left out: %" PRIu64 " call%s of kprof itself (--own)\n", own,
			plural(own));
	if (!calls)
		print_cause(o, at_entry + at_return, own);
	else
		print_silent(o);
}

static void print_recording(const struct lat_output *o)
{
	meta_text_recording(o->out, o->data, o->path);
	meta_text_duration(o->out, o->data);
	fputs("#\n", o->out);
}

static void print_time(const struct lat_output *o)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	strftime(text, sizeof(text), "%H:%M:%S", localtime_r(&now, &tm));
	fprintf(o->out, "# %s\n", text);
}

void lat_print_text(const struct lat_output *o, const struct lat_table *t)
{
	size_t i;

	if (o->path)
		print_recording(o);
	if (o->timestamp)
		print_time(o);
	fprintf(o->out, "# latency of calls, %s%s\n#\n", lat_unit_names[o->unit], o->net ?
		", net of the probe; each may be less still, by \"less\"" : "");
	print_rows(o, t);
	fputs("#\n", o->out);
	print_probes(o);
	print_reasons(o);
	print_cost(o, t);
	print_far(o, t);
	print_clock(o);
	print_nested(o, t);
	print_left_out(o, t);
	print_losses(o);
	for (i = 0; o->histogram && i < lat_rows_shown(o, t); i++)
		lat_draw_histogram(o, &t->row[i]);
	if (o->nr)
		fputc('\n', o->out);
}
