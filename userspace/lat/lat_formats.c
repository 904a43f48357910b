// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_formats.c - print the table of latencies as CSV and JSON
 */
#include "data/account.h"
#include "data/meta_json.h"
#include "lat/lat.h"
#include "lib/csv.h"
#include "lib/json.h"

/* --- CSV --- */

static void csv_header(const struct lat_output *o, struct csv *c)
{
	static const char *const columns[] = {
		"total", "self", "avg", "min", "p50", "p90", "p99", "max", NULL
	};
	int i;

	if (o->nr)
		csv_text(c, "interval");
	csv_text(c, "target");
	csv_text(c, "context");
	csv_text(c, "calls");
	csv_text(c, "missed");
	for (i = 0; columns[i]; i++)
		csv_textf(c, "%s%s_%s", o->net ? "net_" : "", columns[i],
			  lat_unit_names[o->unit]);
	if (o->net)
		csv_textf(c, "less_%s", lat_unit_names[o->unit]);
	csv_end_line(c);
}

void lat_print_csv(const struct lat_output *o, const struct lat_table *t)
{
	static const int digits[] = { [LAT_NS] = 0, [LAT_US] = 3, [LAT_MS] = 6 };
	size_t i, v, nr = lat_rows_shown(o, t);
	struct csv c = csv_begin(o->out, NULL);

	if (o->nr <= 1)
		csv_header(o, &c);
	for (i = 0; i < nr; i++) {
		const struct lat_row *row = &t->row[i];
		const double value[] = {
			row->total, row->self, lat_avg(row), row->min, row->p50, row->p90,
			row->p99, row->max,
		};

		if (o->nr)
			csv_u64(&c, o->nr);
		csv_text(&c, row->target);
		csv_text(&c, row->context);
		csv_u64(&c, row->calls);
		csv_u64(&c, row->missed);
		for (v = 0; v < sizeof(value) / sizeof(*value); v++)
			csv_number(&c, value[v] / lat_unit_ns[o->unit], digits[o->unit]);
		if (o->net && row->net && row->unsure_ns != LAT_UNKNOWN)
			csv_number(&c, row->unsure_ns / lat_unit_ns[o->unit], digits[o->unit]);
		else if (o->net)
			csv_text(&c, row->net ? "unknown" : "not net");
		csv_end_line(&c);
	}
}

/* --- JSON: always nanoseconds --- */

static void json_probes(const struct lat_output *o, struct json *j)
{
	struct lat_probe probe[LAT_NR_PROBES];
	int i, nr = lat_probes(o->data, probe);

	json_array(j, "probes", JSON_LINES);
	for (i = 0; i < nr; i++) {
		json_object(j, NULL, JSON_LINE);
		json_text(j, "kind", probe[i].kind);
		if (probe[i].calibrated) {
			json_u64(j, "cost_ns", probe[i].cost_ns);
			json_u64(j, "seen_ns", probe[i].seen_ns);
		} else {
			json_null(j, "cost_ns");
			json_null(j, "seen_ns");
		}
		json_text(j, "targets", probe[i].targets.data);
		json_close(j);
	}
	json_close(j);
	lat_probes_free(probe);
}

static void json_losses(const struct lat_output *o, struct json *j)
{
	struct buf causes = { 0 };

	buf_add(&causes, "", 0);
	json_u64(j, "lost", account_dropped(&o->data->text[DATA_STATS_BEFORE],
					    &o->data->text[DATA_STATS], &causes));
	json_text(j, "causes", causes.data);
	json_u64(j, "own", account_growth(&o->data->text[DATA_STATS_BEFORE],
					  &o->data->text[DATA_STATS], "dropped_own"));
	buf_free(&causes);
}

/* Was the probe's overhead subtracted, and how much of it may be left? */
static void json_net(struct json *j, const struct lat_row *row)
{
	json_bool(j, "net", row->net);
	if (row->net && row->unsure_ns != LAT_UNKNOWN)
		json_u64(j, "less_ns", row->unsure_ns);
	else
		json_null(j, "less_ns");
}

static void json_row(const struct lat_output *o, struct json *j, const struct lat_row *row)
{
	size_t i;

	json_object(j, NULL, JSON_LINE);
	json_text(j, "target", row->target);
	json_text(j, "context", row->context);
	json_u64(j, "calls", row->calls);
	json_u64(j, "missed", row->missed);
	if (o->net)
		json_net(j, row);
	json_u64(j, "total_ns", row->total);
	json_u64(j, "self_ns", row->self);
	json_number(j, "avg_ns", lat_avg(row), 1);
	json_u64(j, "min_ns", row->min);
	json_u64(j, "p50_ns", row->p50);
	json_u64(j, "p90_ns", row->p90);
	json_u64(j, "p99_ns", row->p99);
	json_u64(j, "max_ns", row->max);
	json_array(j, "buckets", JSON_LINE);
	for (i = 0; i < row->nr_buckets; i++) {
		json_array(j, NULL, JSON_LINE);
		json_u64(j, NULL, row->bucket[i].low);
		json_u64(j, NULL, row->bucket[i].high);
		json_u64(j, NULL, row->bucket[i].calls);
		json_close(j);
	}
	json_close(j);
	json_close(j);
}

void lat_print_json(const struct lat_output *o, const struct lat_table *t)
{
	struct json j = json_begin(o->out);
	size_t i, nr = lat_rows_shown(o, t);

	json_object(&j, NULL, JSON_LINES);
	meta_json(&j, o->data);
	json_u64(&j, "duration_ns", data_duration_ns(o->data));
	json_u64(&j, "interval", o->nr);
	json_probes(o, &j);
	json_losses(o, &j);
	json_array(&j, "rows", JSON_LINES);
	for (i = 0; i < nr; i++)
		json_row(o, &j, &t->row[i]);
	json_end(&j);
}
