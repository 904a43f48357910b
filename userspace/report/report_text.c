// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_text.c - a report as text for people
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/account.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "report/report_print.h"

/* Per cent of the total: rounded to 0.00. */
#define SHOWN_AS_ZERO	0.005

/* Per cent of the total. */
#define SHIFT_TOLD	5

bool report_shows(const struct report_output *o, const struct report_table *t, size_t i)
{
	const struct report_entry *e = &t->entry[i];

	return (!o->lines || i < (size_t)o->lines) &&
	       (report_percent(e->self, t->total) >= o->percent_limit ||
		report_percent(e->children, t->total) >= o->percent_limit);
}

static void meta_line(struct report_output *o, const char *label, const char *name)
{
	char *value = data_meta(o->data, name);

	if (*value)
		fprintf(o->out, "# %-10s %s\n", label, value);
	free(value);
}

/* A period goes before a frequency, as in the module. */
static void rate_line(struct report_output *o)
{
	char *period = data_meta(o->data, "period");

	if (number_or_0(period))
		fprintf(o->out, "# %-10s %s\n", "period:", period);
	else
		meta_line(o, "freq:", "freq");
	free(period);
}

static void list_line(struct report_output *o, const char *label, struct buf *list)
{
	if (list->len)
		fprintf(o->out, "# %-10s %s\n", label, list->data);
	buf_free(list);
}

static void add_to_list(struct buf *list, const char *what, const char *value)
{
	if (*value)
		buf_printf(list, "%s%s%s%s", list->len ? "; " : "", what, *what ? " " : "", value);
}

/* No filter: the module lists all CPUs where there are to be all. */
static bool is_all_cpus(const struct data *d, const char *value)
{
	char *cpus = data_meta(d, "possible_cpus");
	uint64_t nr = number_or_0(cpus);
	char all[32];

	snprintf(all, sizeof(all), nr > 1 ? "0-%" PRIu64 : "%" PRIu64, nr ? nr - 1 : 0);
	free(cpus);
	return !strcmp(value, "all") || (nr && !strcmp(value, all));
}

/* What was watched, of whom, and what of it is shown. */
static void filter_lines(struct report_output *o)
{
	static const char *const names[] = { "pid", "comm", "cpus" };
	const struct { const char *name, *value; } given[] = {
		{ "time", o->filter->time }, { "comm", o->filter->comm },
		{ "symbol", o->filter->symbol }, { "parent", o->filter->parent },
	};
	struct buf targets = { 0 }, filters = { 0 }, shown = { 0 };
	uint32_t id;
	size_t i;

	for (id = 1; id < o->data->nr_sources; id++)
		if (o->data->source[id].is_target)
			add_to_list(&targets, "", o->data->source[id].name);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *value = data_meta(o->data, names[i]);

		if (strcmp(names[i], "cpus") || !is_all_cpus(o->data, value))
			add_to_list(&filters, names[i], value);
		free(value);
	}
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
		o->percent_limit = SHOWN_AS_ZERO;
	fprintf(o->out, "# %-10s %s\n", "recording:", o->path);
	meta_line(o, "time:", "time");
	meta_line(o, "kernel:", "kernel");
	meta_line(o, "machine:", "machine");
	meta_line(o, "command:", "command");
	meta_line(o, "event:", "event");
	rate_line(o);
	filter_lines(o);
	if (data_duration_ns(o->data))
		fprintf(o->out, "# %-10s %.3f s\n", "duration:",
			data_duration_ns(o->data) / 1e9);
	if (!account_of_data(&a, o->data))
		return;
	fputs("#\n", o->out);
	account_print(&a, "# ", o->out);
	account_free(&a);
}

static const char *color(double percent)
{
	return percent >= 5 ? "\033[31m" : percent >= 0.5 ? "\033[32m" : "";
}

/* The callers of a symbol: a tree that begins at its leaf. */
struct callers {
	struct folded folded;
	folded_count *total;	/* by node: its own and those of all below */
	uint32_t *child;	/* all nodes by their parent, then by their total */
	uint32_t *first;	/* of node i: child[first[i]] up to child[first[i + 1]] */
};

static int by_parent_and_total(const void *va, const void *vb, void *arg)
{
	const struct callers *c = arg;
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const struct folded_node *node = c->folded.node;

	if (node[a].parent != node[b].parent)
		return node[a].parent < node[b].parent ? -1 : 1;
	if (c->total[a] != c->total[b])
		return c->total[a] > c->total[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void callers_make(struct callers *c, const struct report_output *o,
			 const struct data_fold_options *fold)
{
	uint32_t i, nr, at = 0;

	folded_init(&c->folded, FOLDED_LEAF_FIRST);
	data_fold_tally(o->data, fold, &c->folded);
	c->total = folded_totals(&c->folded);
	nr = c->folded.nr_nodes;
	c->child = mem_zalloc(nr, sizeof(*c->child));
	c->first = mem_zalloc(nr + 1, sizeof(*c->first));
	for (i = 1; i < nr; i++)	/* node 0 is nobody's child */
		c->child[i - 1] = i;
	qsort_r(c->child, nr - 1, sizeof(*c->child), by_parent_and_total, c);
	for (i = 0; i < nr; i++) {
		c->first[i] = at;
		while (at < nr - 1 && c->folded.node[c->child[at]].parent == i)
			at++;
	}
	c->first[nr] = at;
}

static void callers_free(struct callers *c)
{
	free(c->total);
	free(c->child);
	free(c->first);
	folded_free(&c->folded);
}

/* Who has no other caller is told in the same line. */
static uint32_t print_chain(struct report_output *o, const struct callers *c, uint32_t node)
{
	fputs(c->folded.names.name[c->folded.node[node].name].text, o->out);
	while (c->first[node + 1] - c->first[node] == 1 &&
	       c->total[c->child[c->first[node]]] == c->total[node]) {
		node = c->child[c->first[node]];
		fprintf(o->out, " < %s", c->folded.names.name[c->folded.node[node].name].text);
	}
	fputc('\n', o->out);
	return node;
}

static void print_callers(struct report_output *o, const struct callers *c, uint32_t node,
			  int depth)
{
	uint32_t i;

	for (i = c->first[node]; i < c->first[node + 1]; i++) {
		uint32_t child = c->child[i];
		double percent = 100 * (double)(c->total[child] / c->total[0]);

		if (percent < o->percent_limit)
			continue;
		fprintf(o->out, "%*s%6.2f%%  ", 26 + 2 * depth, "", percent);
		print_callers(o, c, print_chain(o, c, child), depth + 1);
	}
}

/* Functions of two modules that have the same name have each its own callers. */
static void print_callers_of(struct report_output *o, const struct callers *c,
			     const struct report_entry *e)
{
	struct buf name = { 0 };
	uint32_t node;

	buf_printf(&name, "%s%s%s%s", e->name, *e->module ? " [" : "", e->module,
		   *e->module ? "]" : "");
	node = folded_find_root(&c->folded, name.data);
	if (node)
		print_callers(o, c, node, 0);
	buf_free(&name);
}

/* Beside what they weigh. */
static bool shows_samples(const struct report_output *o)
{
	return o->unit.by_weight && o->unit.has_samples;
}

static void print_entry(struct report_output *o, const struct report_table *t,
			const struct report_entry *e, const struct report_events *events)
{
	double self = report_percent(e->self, t->total);
	double children = report_percent(e->children, t->total);

	if (o->color)
		escape_paint(color(self), stdout);
	fprintf(o->out, "%7.2f%%", self);
	if (o->color)
		escape_paint("\033[0m", stdout);
	if (o->sort == REPORT_SYM)
		fprintf(o->out, " %8.2f%%", children);
	fprintf(o->out, " %12" PRIu64, e->self);
	if (shows_samples(o))
		fprintf(o->out, " %9" PRIu64, e->samples);
	report_events_text(events, e->count, o->out);
	fputs("  ", o->out);
	escape_print(e->name, o->out);
	if (*e->module)
		fprintf(o->out, " [%s]", e->module);
	fputc('\n', o->out);
}

static bool is_target(const struct data *d, const char *source)
{
	uint32_t id;

	for (id = 1; source && id < d->nr_sources; id++)
		if (d->source[id].name && !strcmp(d->source[id].name, source))
			return d->source[id].is_target;
	return false;
}

/* What shares are of, and whether it matters. */
static void print_total(struct report_output *o, const char *source, const struct report_table *t)
{
	double shift = report_shift(t);

	fprintf(o->out, "\n# %" PRIu64 " %s%s%s", t->total, o->unit.name,
		source ? " of " : "", source ? source : "");
	if (shows_samples(o))
		fprintf(o->out, " in %" PRIu64 " %s; shares are of %s", t->samples,
			is_target(o->data, source) ? "calls" : "samples",
			strcmp(o->unit.name, "ns") ? o->unit.name : "the time");
	fputc('\n', o->out);
	if (shows_samples(o) && !is_target(o->data, source) && shift > SHIFT_TOLD)
		fprintf(o->out, "# counted by samples (--samples), %.1f %% of it would be charged "
			"elsewhere%s\n", shift, strcmp(o->unit.name, "ns") ? "" :
			": where interrupts are\n# off, ticks are merged into one sample that "
			"weighs as much as all of them");
}

static void table(struct report_output *o, const char *source, const struct report_table *t,
		  const struct data_fold_options *fold)
{
	struct report_events events;
	struct callers callers;
	size_t i, hidden = 0;

	report_events_of_source(&events, source);
	print_total(o, source, t);
	report_events_total(&events, t->count, o->out);
	fprintf(o->out, "#\n# %6s%s %12s", "self", o->sort == REPORT_SYM ? "  children" : "",
		o->unit.name);
	if (shows_samples(o))
		fprintf(o->out, " %9s", is_target(o->data, source) ? "calls" : "samples");
	report_events_header(&events, o->out);
	fprintf(o->out, "  %s\n", report_sort_names[o->sort]);
	if (o->callers)
		callers_make(&callers, o, fold);
	for (i = 0; i < t->nr; i++) {
		hidden += !report_shows(o, t, i);
		if (!report_shows(o, t, i))
			continue;
		print_entry(o, t, &t->entry[i], &events);
		if (o->callers && t->entry[i].self)
			print_callers_of(o, &callers, &t->entry[i]);
	}
	if (hidden)
		fprintf(o->out, "# %zu more lines%s\n", hidden, o->lines ? "" :
			": smaller ones; --percent-limit 0 shows all");
	if (o->callers)
		callers_free(&callers);
	if (!is_target(o->data, source))
		report_next(o, t);
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
