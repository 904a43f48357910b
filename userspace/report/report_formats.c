// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_formats.c - print a report as CSV and JSON
 */
#include <stdlib.h>

#include "data/account.h"
#include "data/meta_json.h"
#include "lib/csv.h"
#include "lib/json.h"
#include "report/report_branches.h"
#include "report/report_print.h"

/* --- CSV: all tables as one --- */

/* The module of a symbol has a column of its own, unless it is a key. */
static bool has_module_column(const struct report_output *o)
{
	return !report_keys_have(&o->order.keys, REPORT_MODULE);
}

void report_csv_unit(struct report_output *o, const char *name)
{
	if (o->units_differ)
		csv_text(&o->csv, name);
	else
		csv_textf(&o->csv, "%s_%s", name, o->unit.name);
}

static void csv_header(struct report_output *o)
{
	struct csv *c = &o->csv;
	size_t k;

	if (o->tree != REPORT_NO_TREE) {
		report_branches_csv_header(o);
		return;
	}
	*c = csv_begin(o->out, NULL);
	csv_text(c, "source");
	csv_text(c, "self_percent");
	csv_text(c, "children_percent");
	report_csv_unit(o, "self");
	report_csv_unit(o, "children");
	for (k = 0; k < o->order.keys.nr; k++)
		csv_text(c, report_key_names[o->order.keys.key[k]]);
	if (has_module_column(o))
		csv_text(c, "module");
	report_events_of_data(&o->events, o->data);
	report_events_csv_header(&o->events, c);
	if (o->units_differ)
		csv_text(c, "unit");
	csv_end_line(c);
}

static void csv_table(struct report_output *o, const char *source, const struct report_table *t,
		      const struct data_fold_options *fold)
{
	struct csv *c = &o->csv;
	struct report_events here;
	size_t i, k;

	if (o->tree != REPORT_NO_TREE) {
		report_branches_csv(o, source, fold);
		return;
	}
	report_events_of_source(&here, source);
	for (i = 0; i < t->nr; i++) {
		const struct report_entry *e = &t->entry[i];

		if (!report_shows(o, t, i))
			continue;
		csv_text(c, source ? source : "");
		csv_number(c, report_percent(e->self, t->total), 4);
		csv_number(c, report_percent(e->children, t->total), 4);
		csv_u64(c, e->self);
		csv_u64(c, e->children);
		for (k = 0; k < t->keys.nr; k++)
			csv_text(c, e->text[k]);
		if (has_module_column(o))
			csv_text(c, e->module);
		report_events_csv(&o->events, &here, e->count, c);
		if (o->units_differ)
			csv_text(c, o->unit.name);
		csv_end_line(c);
	}
	report_events_free(&here);
}

static void csv_end(struct report_output *o)
{
	report_events_free(&o->events);
}

const struct report_printer report_csv = { csv_header, csv_table, csv_end };

/* --- JSON: everything --- */

static void json_account(struct report_output *o)
{
	struct json *j = &o->json;
	struct account a = { .nr = 0 };
	bool is_known = account_of_data(&a, o->data);
	size_t i;

	json_bool(j, "whole", o->data->whole);
	json_array(j, "account", JSON_LINES);
	for (i = 0; i < a.nr; i++) {
		const struct account_row *row = &a.row[i];

		json_object(j, NULL, JSON_LINE);
		json_text(j, "source", row->name);
		json_u64(j, "fired", row->fired);
		json_u64(j, "filtered", row->filtered);
		json_u64(j, "captured", row->captured);
		json_u64(j, "lost", row->lost);
		json_close(j);
	}
	json_close(j);
	/* Samples in files that could not be opened; the end has their list. */
	if (is_known)
		json_u64(j, "gone", a.gone);
	else
		json_null(j, "gone");
	/* Recordings of earlier versions of kprof do not have it. */
	if (is_known && a.own_cpu_ns)
		json_u64(j, "own_cpu_ns", a.own_cpu_ns);
	else
		json_null(j, "own_cpu_ns");
	account_free(&a);
}

static void json_head(struct report_output *o)
{
	struct json *j = &o->json;
	struct buf keys = { 0 };

	*j = json_begin(o->out);
	json_object(j, NULL, JSON_LINES);
	meta_json(j, o->data);
	json_u64(j, "duration_ns", data_duration_ns(o->data));
	meta_json_one(j, o->data, "event");
	meta_json_one(j, o->data, "freq");
	meta_json_one(j, o->data, "period");
	json_account(o);
	json_text(j, "unit", o->units_differ ? NULL : o->unit.name);
	report_keys_add(&o->order.keys, &keys);
	if (o->tree == REPORT_NO_TREE || o->is_grouped)
		json_text(j, "key", keys.data);
	if (o->tree != REPORT_NO_TREE)
		json_text(j, "tree", report_tree_names[o->tree]);
	json_array(j, "tables", JSON_LINES);
	buf_free(&keys);
}

/* With one key, the member is "name"; with several, each has the name of its key. */
static void json_keys(struct json *j, const struct report_table *t, const struct report_entry *e)
{
	size_t k;

	for (k = 0; k < t->keys.nr; k++)
		json_text(j, t->keys.nr == 1 ? "name" : report_key_names[t->keys.key[k]],
			  e->text[k]);
	if (t->keys.nr == 1 || !report_keys_have(&t->keys, REPORT_MODULE))
		json_text(j, "module", e->module);
}

static void json_rows(struct report_output *o, const struct report_table *t,
		      const struct report_events *here)
{
	struct json *j = &o->json;
	size_t i;

	json_array(j, "rows", JSON_LINES);
	for (i = 0; i < t->nr; i++) {
		const struct report_entry *e = &t->entry[i];

		if (!report_shows(o, t, i))
			continue;
		json_object(j, NULL, JSON_LINE);
		json_keys(j, t, e);
		json_u64(j, "self", e->self);
		json_u64(j, "children", e->children);
		report_events_json(here, e->count, j);
		json_close(j);
	}
	json_close(j);
}

static void json_table(struct report_output *o, const char *source, const struct report_table *t,
		       const struct data_fold_options *fold)
{
	struct json *j = &o->json;
	struct report_events here;

	report_events_of_source(&here, source);
	json_object(j, NULL, JSON_LINE);
	json_text(j, "source", source ? source : "");
	json_text(j, "unit", o->unit.name);
	json_u64(j, "total", t->total);
	json_u64(j, "samples", t->samples);
	if (o->unit.by_weight && o->unit.has_samples)
		json_number(j, "shift_percent", report_shift(t), 2);
	report_events_json(&here, t->count, j);
	if (o->tree == REPORT_NO_TREE)
		json_rows(o, t, &here);
	else
		report_branches_json(o, fold);
	json_close(j);
	report_events_free(&here);
}

static void json_tail(struct report_output *o)
{
	struct json *j = &o->json;
	struct report_latency *l;
	size_t i, nr = report_latencies(o, &l);

	json_close(j);
	json_array(j, "latency", JSON_LINES);
	for (i = 0; i < nr; i++) {
		json_object(j, NULL, JSON_LINE);
		json_text(j, "target", l[i].name);
		json_u64(j, "calls", l[i].calls);
		json_u64(j, "total_ns", l[i].total);
		json_u64(j, "min_ns", l[i].min);
		json_u64(j, "p50_ns", l[i].p50);
		json_u64(j, "p90_ns", l[i].p90);
		json_u64(j, "p99_ns", l[i].p99);
		json_u64(j, "max_ns", l[i].max);
		json_close(j);
	}
	json_end(j);
	free(l);
}

const struct report_printer report_json = { json_head, json_table, json_tail };
