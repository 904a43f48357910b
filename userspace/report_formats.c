// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_formats.c - a report for programs: CSV and JSON
 */
#include <inttypes.h>
#include <stdlib.h>

#include "account.h"
#include "meta_json.h"
#include "quote.h"
#include "report_print.h"

/* --- CSV: the tables as one --- */

static void csv_begin(struct report_output *o)
{
	fprintf(o->out, "source,self_percent,children_percent,self_%s,children_%s,%s,module",
		o->unit.name, o->unit.name, report_sort_names[o->sort]);
	report_events_of_data(&o->events, o->data);
	report_events_csv_header(&o->events, o->out);
	fputc('\n', o->out);
}

static void csv_table(struct report_output *o, const char *source, const struct report_table *t,
		      const struct data_fold_options *fold)
{
	struct report_events here;
	size_t i;

	(void)fold;
	report_events_of_source(&here, source);
	for (i = 0; i < t->nr; i++) {
		const struct report_entry *e = &t->entry[i];

		if (!report_shows(o, t, i))
			continue;
		quote_csv(source ? source : "", o->out);
		fprintf(o->out, ",%.4f,%.4f,%" PRIu64 ",%" PRIu64 ",",
			report_percent(e->self, t->total), report_percent(e->children, t->total),
			e->self, e->children);
		quote_csv(e->name, o->out);
		fputc(',', o->out);
		quote_csv(e->module, o->out);
		report_events_csv(&o->events, &here, e->count, o->out);
		fputc('\n', o->out);
	}
	report_events_free(&here);
}

static void csv_end(struct report_output *o)
{
	report_events_free(&o->events);
}

const struct report_printer report_csv = { csv_begin, csv_table, csv_end };

/* --- JSON: everything --- */

static void json_meta(struct report_output *o)
{
	meta_json(o->data, o->out);
	meta_json_one(o->data, "event", o->out);
	meta_json_one(o->data, "freq", o->out);
	meta_json_one(o->data, "period", o->out);
}

static void json_account(struct report_output *o)
{
	struct account a;
	size_t i;

	fprintf(o->out, "  \"whole\": %s,\n  \"account\": [", o->data->whole ? "true" : "false");
	if (!account_of_data(&a, o->data)) {
		fputs("],\n", o->out);
		return;
	}
	for (i = 0; i < a.nr; i++) {
		const struct account_row *row = &a.row[i];

		fprintf(o->out, "%s\n    {\"source\": ", i ? "," : "");
		quote_json(row->name, o->out);
		fprintf(o->out, ", \"fired\": %" PRIu64 ", \"filtered\": %" PRIu64
			", \"captured\": %" PRIu64 ", \"lost\": %" PRIu64
			"}", row->fired, row->filtered, row->captured, row->lost);
	}
	fputs("\n  ],\n", o->out);
	account_free(&a);
}

static void json_begin(struct report_output *o)
{
	fputs("{\n", o->out);
	json_meta(o);
	json_account(o);
	fputs("  \"unit\": ", o->out);
	quote_json(o->unit.name, o->out);
	fprintf(o->out, ",\n  \"key\": \"%s\",\n  \"tables\": [", report_sort_names[o->sort]);
}

static void json_table(struct report_output *o, const char *source, const struct report_table *t,
		       const struct data_fold_options *fold)
{
	struct report_events here;
	bool first = true;
	size_t i;

	(void)fold;
	report_events_of_source(&here, source);
	fprintf(o->out, "%s\n    {\"source\": ", o->tables++ ? "," : "");
	quote_json(source ? source : "", o->out);
	fprintf(o->out, ", \"total\": %" PRIu64 ", \"samples\": %" PRIu64, t->total, t->samples);
	if (o->unit.by_weight && o->unit.has_samples)
		fprintf(o->out, ", \"shift_percent\": %.2f", report_shift(t));
	report_events_json(&here, t->count, o->out);
	fputs(", \"rows\": [", o->out);
	for (i = 0; i < t->nr; i++) {
		const struct report_entry *e = &t->entry[i];

		if (!report_shows(o, t, i))
			continue;
		fprintf(o->out, "%s\n      {\"name\": ", first ? "" : ",");
		quote_json(e->name, o->out);
		fputs(", \"module\": ", o->out);
		quote_json(e->module, o->out);
		fprintf(o->out, ", \"self\": %" PRIu64 ", \"children\": %" PRIu64, e->self,
			e->children);
		report_events_json(&here, e->count, o->out);
		fputc('}', o->out);
		first = false;
	}
	fputs("\n    ]}", o->out);
	report_events_free(&here);
}

static void json_end(struct report_output *o)
{
	struct report_latency *l;
	size_t i, nr = report_latencies(o->data, &l);

	fputs("\n  ],\n  \"latency\": [", o->out);
	for (i = 0; i < nr; i++) {
		fprintf(o->out, "%s\n    {\"target\": ", i ? "," : "");
		quote_json(l[i].name, o->out);
		fprintf(o->out, ", \"calls\": %" PRIu64 ", \"total_ns\": %" PRIu64
			", \"min_ns\": %" PRIu64 ", \"p50_ns\": %" PRIu64 ", \"p90_ns\": %" PRIu64
			", \"p99_ns\": %" PRIu64 ", \"max_ns\": %" PRIu64 "}", l[i].calls,
			l[i].total, l[i].min, l[i].p50, l[i].p90, l[i].p99, l[i].max);
	}
	fputs("\n  ]\n}\n", o->out);
	free(l);
}

const struct report_printer report_json = { json_begin, json_table, json_end };
