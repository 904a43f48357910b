// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_text.c - print a report as text
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/account.h"
#include "data/marks.h"
#include "data/meta_text.h"
#include "lib/escape.h"
#include "lib/number.h"
#include "lib/plural.h"
#include "lib/shorten.h"
#include "report/report_branches.h"
#include "report/report_callers.h"
#include "report/report_print.h"

/* Per cent of the total; less is rounded to 0.00. */
#define SHOWN_AS_ZERO	0.005

/* Per cent of the total; report_shift() of more than this is reported. */
#define SHIFT_TOLD	5

/* Maximum width of a column, other than the last. */
#define WIDEST_KEY	40

bool report_shows(const struct report_output *o, const struct report_table *t, size_t i)
{
	const struct report_entry *e = &t->entry[i];

	return (!o->lines || i < (size_t)o->lines) &&
	       (report_percent(e->self, t->total) >= o->percent_limit ||
		report_percent(e->children, t->total) >= o->percent_limit);
}

static void rate_line(struct report_output *o)
{
	char *period = data_meta(o->data, "period");

	if (number_or_0(period))
		fprintf(o->out, "# %-10s %s\n", "period:", period);
	else
		meta_text(o->out, o->data, "freq:", "freq");
	free(period);
}

static void list_line(struct report_output *o, const char *label, struct buf *list)
{
	if (list->len)
		meta_text_line(o->out, label, list->data);
	buf_free(list);
}

static void add_to_list(struct buf *list, const char *what, const char *value)
{
	if (*value)
		buf_printf(list, "%s%s%s%s", list->len ? "; " : "", what, *what ? " " : "", value);
}

/* Print the targets, the filters of the recording, and those of the report. */
static void filter_lines(struct report_output *o)
{
	static const char *const names[] = { "pid", "comm", "cpus" };
	const struct { const char *name, *value; } given[] = {
		{ "time", o->filter->time }, { "comm", o->filter->comm },
		{ "cgroup", o->filter->cgroup }, { "region", o->filter->region },
		{ "symbol", o->filter->symbol },
		{ "module", o->filter->module }, { "parent", o->filter->parent },
	};
	struct buf targets = { 0 }, filters = { 0 }, shown = { 0 };
	uint32_t id;
	size_t i;

	for (id = 1; id < o->data->nr_sources; id++)
		if (o->data->source[id].is_target)
			add_to_list(&targets, "", o->data->source[id].name);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *value = data_meta(o->data, names[i]);

		if (strcmp(names[i], "cpus") || !data_is_all_cpus(o->data))
			add_to_list(&filters, names[i], value);
		free(value);
	}
	add_to_list(&filters, "", marks_are_there(o->data) ? "kprof_start() to kprof_stop()" : "");
	add_to_list(&shown, "source", o->source ? o->source : "");
	add_to_list(&shown, "cpus", o->cpus ? o->cpus : "");
	add_to_list(&shown, "context", o->query->context == TALLY_ANY ? "" :
		    tally_contexts[o->query->context]);
	for (i = 0; i < sizeof(given) / sizeof(*given); i++)
		add_to_list(&shown, given[i].name, given[i].value ? given[i].value : "");
	for (i = 0; i < (size_t)o->filter->pids.nr; i++)
		add_to_list(&shown, "pid", o->filter->pids.item[i]);
	list_line(o, "targets:", &targets);
	list_line(o, "only:", &filters);
	list_line(o, "shown:", &shown);
}

static void begin(struct report_output *o)
{
	struct account a;

	if (o->percent_limit < 0)
		o->percent_limit = o->tree == REPORT_NO_TREE ? SHOWN_AS_ZERO : REPORT_BRANCH_LIMIT;
	meta_text_recording(o->out, o->data, o->path);
	meta_text(o->out, o->data, "event:", "event");
	rate_line(o);
	filter_lines(o);
	meta_text_duration(o->out, o->data);
	if (!account_of_data(&a, o->data))
		return;
	fputs("#\n", o->out);
	account_print(&a, "# ", o->out);
	account_free(&a);
}

const char *report_color(double percent)
{
	return percent >= 5 ? "\033[31m" : percent >= 0.5 ? "\033[32m" : "";
}

/* Is there a column for the number of samples, besides their weight? */
static bool shows_samples(const struct report_output *o, const struct report_table *t)
{
	return o->unit.by_weight && t->samples;
}

/* The text of a key in a line; a symbol, or a line of the source, comes with its module. */
static const char *cell(const struct report_table *t, const struct report_entry *e, size_t key,
			struct buf *text)
{
	struct buf shown = { 0 };

	text->len = 0;
	shorten_add(&shown, e->text[key], strlen(e->text[key]));
	escape_add(text, shown.data, shown.len);
	buf_free(&shown);
	if (report_key_has_module(&t->keys, t->keys.key[key]) && *e->module)
		buf_printf(text, " [%s]", e->module);
	return text->data;
}

/* The columns of all keys but the last are as wide as their contents. */
static void key_widths(const struct report_output *o, const struct report_table *t,
		       int width[REPORT_NR_KEYS])
{
	struct buf text = { 0 };
	size_t i, k;
	int len;

	for (k = 0; k < t->keys.nr; k++)
		width[k] = strlen(report_key_names[t->keys.key[k]]);
	for (i = 0; t->keys.nr > 1 && i < t->nr; i++)
		for (k = 0; report_shows(o, t, i) && k + 1 < t->keys.nr; k++) {
			len = strlen(cell(t, &t->entry[i], k, &text));
			if (len > width[k])
				width[k] = len < WIDEST_KEY ? len : WIDEST_KEY;
		}
	width[t->keys.nr - 1] = 0;
	buf_free(&text);
}

static void print_entry(struct report_output *o, const struct report_table *t,
			const struct report_entry *e, const struct report_events *events,
			const int width[REPORT_NR_KEYS])
{
	double self = report_percent(e->self, t->total);
	double children = report_percent(e->children, t->total);
	struct buf text = { 0 };
	size_t k;

	if (o->color)
		escape_paint(report_color(self), stdout);
	fprintf(o->out, "%7.2f%%", self);
	if (o->color)
		escape_paint("\033[0m", stdout);
	if (report_keys_have_frames(&t->keys))
		fprintf(o->out, " %8.2f%%", children);
	fprintf(o->out, " %12" PRIu64, e->self);
	if (shows_samples(o, t))
		fprintf(o->out, " %9" PRIu64, e->samples);
	report_events_text(events, e->count, o->out);
	for (k = 0; k < t->keys.nr; k++)
		fprintf(o->out, "  %-*s", width[k], cell(t, e, k, &text));
	fputc('\n', o->out);
	buf_free(&text);
}

static bool is_target(const struct data *d, const char *source)
{
	uint32_t id;

	for (id = 1; source && id < d->nr_sources; id++)
		if (d->source[id].name && !strcmp(d->source[id].name, source))
			return d->source[id].is_target;
	return false;
}

/* Is the unit the plural of what is counted, and not a measure? */
static bool is_counted(const struct report_output *o)
{
	return !strcmp(o->unit.name, "samples") || !strcmp(o->unit.name, "calls");
}

/* Print what the shares are shares of, and whether another unit would change them. */
static void print_total(struct report_output *o, const char *source, const struct report_table *t)
{
	static const char *const units[2][2] = { { "sample", "samples" }, { "call", "calls" } };
	double shift = report_shift(t);

	fprintf(o->out, "\n# %" PRIu64 " %.*s%s%s", t->total,
		(int)strlen(o->unit.name) - (t->total == 1 && is_counted(o)), o->unit.name,
		source ? " of " : "", source ? source : "");
	if (shows_samples(o, t))
		fprintf(o->out, " in %" PRIu64 " %s; shares are of %s", t->samples,
			units[is_target(o->data, source)][t->samples != 1],
			strcmp(o->unit.name, "ns") ? o->unit.name : "the time");
	fputc('\n', o->out);
	if (shows_samples(o, t) && !is_target(o->data, source) && shift > SHIFT_TOLD)
		fprintf(o->out, "# counted by samples (--samples), %.1f %% of it would be charged "
			"elsewhere%s\n", shift, strcmp(o->unit.name, "ns") ? "" :
			": where interrupts are\n# off, ticks are merged into one sample that "
			"weighs as much as all of them");
}

static void print_lines(struct report_output *o, const char *source, const struct report_table *t,
			const struct data_fold_options *fold, const struct report_events *events)
{
	struct report_callers callers;
	int width[REPORT_NR_KEYS];
	size_t i, hidden = 0;

	fprintf(o->out, "#\n# %6s%s %12s", "self",
		report_keys_have_frames(&t->keys) ? "  children" : "", o->unit.name);
	if (shows_samples(o, t))
		fprintf(o->out, " %9s", is_target(o->data, source) ? "calls" : "samples");
	report_events_header(events, o->out);
	key_widths(o, t, width);
	for (i = 0; i < t->keys.nr; i++)
		fprintf(o->out, "  %-*s", width[i], report_key_names[t->keys.key[i]]);
	fputc('\n', o->out);
	if (o->callers)
		report_callers_make(&callers, o, &t->keys, fold);
	for (i = 0; i < t->nr; i++) {
		hidden += !report_shows(o, t, i);
		if (!report_shows(o, t, i))
			continue;
		print_entry(o, t, &t->entry[i], events, width);
		if (o->callers && t->entry[i].self)
			report_callers_print(o, &callers, &t->entry[i]);
	}
	if (hidden)
		fprintf(o->out, "# %zu more line%s%s\n", hidden, plural(hidden), o->lines ? "" :
			": smaller ones; --percent-limit 0 shows all");
	if (o->callers)
		report_callers_free(&callers);
}

static void table(struct report_output *o, const char *source, const struct report_table *t,
		  const struct data_fold_options *fold)
{
	struct report_events events;

	report_events_of_source(&events, source);
	print_total(o, source, t);
	report_events_total(&events, t->count, o->out);
	if (o->tree == REPORT_NO_TREE)
		print_lines(o, source, t, fold, &events);
	else
		report_branches_text(o, fold);
	report_missed(o, t);
	if (!is_target(o->data, source))
		report_next(o, t, fold->tally);
	report_events_free(&events);
}

static void end(struct report_output *o)
{
	struct report_latency *l;
	size_t i, nr = report_latencies(o, &l);

	if (nr)
		fprintf(o->out, "\n# latency of calls, ns\n#\n# %8s %14s %10s %10s %10s %10s %10s"
			" %10s  target\n", "calls", "total", "avg", "min", "p50", "p90", "p99",
			"max");
	for (i = 0; i < nr; i++)
		fprintf(o->out, "%10" PRIu64 " %14" PRIu64 " %10" PRIu64 " %10" PRIu64
			" %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "  %s\n",
			l[i].calls, l[i].total, l[i].total / l[i].calls, l[i].min, l[i].p50,
			l[i].p90, l[i].p99, l[i].max, l[i].name);
	free(l);
}

const struct report_printer report_text = { begin, table, end };
