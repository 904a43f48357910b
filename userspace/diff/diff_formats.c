// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_formats.c - print a comparison of measurements as CSV (rows only) and JSON
 */
#include <stdlib.h>

#include "data/meta_json.h"
#include "diff/diff.h"
#include "lib/csv.h"
#include "lib/json.h"

static bool is_common(const struct diff_row *row)
{
	return row->side[DIFF_A] && row->side[DIFF_B];
}

/* --- CSV --- */

static void csv_header(struct csv *c, const char *unit, bool net)
{
	static const struct { const char *name; bool has_unit; } columns[] = {
		{ "target", false }, { "context", false }, { "verdict", false },
		{ "calls_verdict", false }, { "cost", true }, { "cost_calls", true },
		{ "cost_time", true }, { "cost_self", true }, { "self_a", true },
		{ "self_b", true }, { "calls_a", false }, { "calls_b", false }, { "avg_a", true },
		{ "avg_b", true },
		{ "difference", true }, { "difference_low", true }, { "difference_high", true },
		{ "ratio", false }, { "p50_a", true }, { "p50_b", true }, { "p50_low", true },
		{ "p50_high", true }, { "p99_a", true }, { "p99_b", true }, { "p99_low", true },
		{ "p99_high", true },
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		csv_textf(c, "%s%s%s%s", net && columns[i].has_unit ? "net_" : "", columns[i].name,
			  columns[i].has_unit ? "_" : "", columns[i].has_unit ? unit : "");
	csv_end_line(c);
}

void diff_csv_time(struct csv *c, const struct diff_output *o, bool known, double ns)
{
	static const int digits[] = { [LAT_NS] = 1, [LAT_US] = 4, [LAT_MS] = 7 };

	if (known)
		csv_number(c, ns / lat_unit_ns[o->unit], digits[o->unit]);
	else
		csv_empty(c);
}

static void csv_percentile(struct csv *c, const struct diff_output *o, const struct lat_row *a,
			   const struct lat_row *b, double value_a, double value_b,
			   const struct interval *in)
{
	diff_csv_time(c, o, a, value_a);
	diff_csv_time(c, o, b, value_b);
	diff_csv_time(c, o, in->known, in->low);
	diff_csv_time(c, o, in->known, in->high);
}

static void csv_row(struct csv *c, const struct diff_output *o, const struct diff_row *row)
{
	const struct lat_row *a = row->side[DIFF_A], *b = row->side[DIFF_B];

	csv_text(c, diff_name(row)->target);
	csv_text(c, diff_name(row)->context);
	csv_text(c, diff_verdict_names[row->verdict]);
	csv_text(c, is_common(row) ? diff_calls_names[row->calls] : "");
	diff_csv_time(c, o, true, row->cost);
	diff_csv_time(c, o, true, row->cost_calls);
	diff_csv_time(c, o, true, row->cost_time);
	diff_csv_time(c, o, true, row->cost_self);
	diff_csv_time(c, o, a, a ? a->self : 0);
	diff_csv_time(c, o, b, b ? b->self : 0);
	csv_u64(c, a ? a->calls : 0);
	csv_u64(c, b ? b->calls : 0);
	diff_csv_time(c, o, a, a ? lat_avg(a) : 0);
	diff_csv_time(c, o, b, b ? lat_avg(b) : 0);
	diff_csv_time(c, o, is_common(row), row->difference);
	diff_csv_time(c, o, row->confidence.known, row->confidence.low);
	diff_csv_time(c, o, row->confidence.known, row->confidence.high);
	if (row->ratio)
		csv_number(c, row->ratio, 4);
	else
		csv_empty(c);
	csv_percentile(c, o, a, b, a ? a->p50 : 0, b ? b->p50 : 0, &row->p50);
	csv_percentile(c, o, a, b, a ? a->p99 : 0, b ? b->p99 : 0, &row->p99);
	csv_end_line(c);
}

void diff_print_csv(const struct diff_output *o, const struct diff *d)
{
	struct csv c = csv_begin(o->out, NULL);
	size_t i;

	csv_header(&c, lat_unit_names[o->unit], d->net);
	for (i = 0; i < diff_rows_shown(o, d); i++)
		csv_row(&c, o, &d->row[i]);
}

/* --- JSON: always nanoseconds --- */

static const char *const side_names[] = { [DIFF_A] = "a", [DIFF_B] = "b" };

static void json_side(struct json *j, const struct diff *d, enum diff_side side)
{
	json_object(j, side_names[side], JSON_LINE);
	json_text(j, "recording", d->path[side]);
	meta_json(j, d->data[side]);
	json_close(j);
}

void diff_json_changes(struct json *j, const struct diff *d)
{
	size_t i;

	json_array(j, "differences", JSON_LINES);
	for (i = 0; i < d->nr_changes; i++) {
		const struct diff_change *c = &d->change[i];

		json_object(j, NULL, JSON_LINE);
		json_text(j, "kind", c->kind);
		json_text(j, "name", c->name);
		json_text(j, "a", c->value[DIFF_A]);
		json_text(j, "b", c->value[DIFF_B]);
		json_close(j);
	}
	json_close(j);
}

void diff_json_absences(struct json *j, const struct diff *d)
{
	size_t i;

	json_array(j, "absent", JSON_LINES);
	for (i = 0; i < d->nr_absences; i++) {
		const struct diff_absence *a = &d->absence[i];

		json_object(j, NULL, JSON_LINE);
		json_text(j, "target", a->target);
		json_text(j, "side", side_names[a->side]);
		json_text(j, "reason", diff_reason_names[a->reason]);
		json_text(j, "twin", a->twin);
		json_close(j);
	}
	json_close(j);
}

void diff_json_interval(struct json *j, const char *name, const struct interval *in)
{
	if (!in->known) {
		json_null(j, name);
		return;
	}
	json_array(j, name, JSON_LINE);
	json_number(j, NULL, in->low, 1);
	json_number(j, NULL, in->high, 1);
	json_close(j);
}

static void json_numbers(struct json *j, enum diff_side side, const struct lat_row *row)
{
	if (!row) {
		json_null(j, side_names[side]);
		return;
	}
	json_object(j, side_names[side], JSON_LINE);
	json_u64(j, "calls", row->calls);
	json_u64(j, "total_ns", row->total);
	json_u64(j, "self_ns", row->self);
	json_number(j, "avg_ns", lat_avg(row), 1);
	json_u64(j, "p50_ns", row->p50);
	json_u64(j, "p99_ns", row->p99);
	json_close(j);
}

static void json_row(struct json *j, const struct diff_row *row)
{
	json_object(j, NULL, JSON_LINE);
	json_text(j, "target", diff_name(row)->target);
	json_text(j, "context", diff_name(row)->context);
	json_text(j, "verdict", diff_verdict_names[row->verdict]);
	if (is_common(row))
		json_text(j, "calls_verdict", diff_calls_names[row->calls]);
	json_number(j, "cost_ns", row->cost, 0);
	json_number(j, "cost_calls_ns", row->cost_calls, 0);
	json_number(j, "cost_time_ns", row->cost_time, 0);
	json_number(j, "cost_self_ns", row->cost_self, 0);
	json_numbers(j, DIFF_A, row->side[DIFF_A]);
	json_numbers(j, DIFF_B, row->side[DIFF_B]);
	if (is_common(row)) {
		json_number(j, "difference_ns", row->difference, 1);
		diff_json_interval(j, "confidence_ns", &row->confidence);
		if (row->ratio)
			json_number(j, "ratio", row->ratio, 4);
		else
			json_null(j, "ratio");
		diff_json_interval(j, "p50_confidence_ns", &row->p50);
		diff_json_interval(j, "p99_confidence_ns", &row->p99);
	}
	json_close(j);
}

void diff_print_json(const struct diff_output *o, const struct diff *d)
{
	struct json j = json_begin(o->out);
	size_t i, nr = diff_rows_shown(o, d);

	json_object(&j, NULL, JSON_LINES);
	json_side(&j, d, DIFF_A);
	json_side(&j, d, DIFF_B);
	diff_json_changes(&j, d);
	diff_json_absences(&j, d);
	json_number(&j, "threshold_percent", d->threshold, 3);
	json_bool(&j, "net", d->net);
	json_array(&j, "rows", JSON_LINES);
	for (i = 0; i < nr; i++)
		json_row(&j, &d->row[i]);
	json_end(&j);
}
