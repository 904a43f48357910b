// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_formats.c - two measurements compared, for programs: CSV (the rows) and JSON
 */
#include <inttypes.h>
#include <stdlib.h>

#include "diff.h"
#include "quote.h"

static bool is_common(const struct diff_row *row)
{
	return row->side[DIFF_A] && row->side[DIFF_B];
}

/* --- CSV --- */

static const char csv_header[] =
	"target,context,verdict,calls_verdict,cost_%1$s,cost_calls_%1$s,cost_time_%1$s,"
	"cost_self_%1$s,self_a_%1$s,self_b_%1$s,calls_a,calls_b,avg_a_%1$s,avg_b_%1$s,difference_%1$s,"
	"difference_low_%1$s,difference_high_%1$s,ratio,p50_a_%1$s,p50_b_%1$s,p50_low_%1$s,"
	"p50_high_%1$s,p99_a_%1$s,p99_b_%1$s,p99_low_%1$s,p99_high_%1$s\n";

/* Nothing between the commas where there is no value. */
static void csv_time(const struct diff_output *o, bool known, double ns)
{
	static const int digits[] = { [LAT_NS] = 1, [LAT_US] = 4, [LAT_MS] = 7 };

	fputc(',', o->out);
	if (known)
		fprintf(o->out, "%.*f", digits[o->unit], ns / lat_unit_ns[o->unit]);
}

static void csv_calls(const struct diff_output *o, const struct lat_row *row)
{
	fprintf(o->out, ",%" PRIu64, row ? row->calls : 0);
}

static void csv_percentile(const struct diff_output *o, const struct lat_row *a,
			   const struct lat_row *b, double value_a, double value_b,
			   const struct interval *in)
{
	csv_time(o, a, value_a);
	csv_time(o, b, value_b);
	csv_time(o, in->known, in->low);
	csv_time(o, in->known, in->high);
}

static void csv_row(const struct diff_output *o, const struct diff_row *row)
{
	const struct lat_row *a = row->side[DIFF_A], *b = row->side[DIFF_B];

	quote_csv(diff_name(row)->target, o->out);
	fputc(',', o->out);
	quote_csv(diff_name(row)->context, o->out);
	fprintf(o->out, ",%s,%s", diff_verdict_names[row->verdict],
		is_common(row) ? diff_calls_names[row->calls] : "");
	csv_time(o, true, row->cost);
	csv_time(o, true, row->cost_calls);
	csv_time(o, true, row->cost_time);
	csv_time(o, true, row->cost_self);
	csv_time(o, a, a ? a->self : 0);
	csv_time(o, b, b ? b->self : 0);
	csv_calls(o, a);
	csv_calls(o, b);
	csv_time(o, a, a ? lat_avg(a) : 0);
	csv_time(o, b, b ? lat_avg(b) : 0);
	csv_time(o, is_common(row), row->difference);
	csv_time(o, row->confidence.known, row->confidence.low);
	csv_time(o, row->confidence.known, row->confidence.high);
	fputc(',', o->out);
	if (row->ratio)
		fprintf(o->out, "%.4f", row->ratio);
	csv_percentile(o, a, b, a ? a->p50 : 0, b ? b->p50 : 0, &row->p50);
	csv_percentile(o, a, b, a ? a->p99 : 0, b ? b->p99 : 0, &row->p99);
	fputc('\n', o->out);
}

void diff_print_csv(const struct diff_output *o, const struct diff *d)
{
	size_t i;

	fprintf(o->out, csv_header, lat_unit_names[o->unit]);
	for (i = 0; i < diff_rows_shown(o, d); i++)
		csv_row(o, &d->row[i]);
}

/* --- JSON: always nanoseconds --- */

static void json_pair(const struct diff_output *o, const char *name, const char *value)
{
	fprintf(o->out, "\"%s\": ", name);
	if (value)
		quote_json(value, o->out);
	else
		fputs("null", o->out);
}

static void json_side(const struct diff_output *o, const struct diff *d, enum diff_side side)
{
	static const char *const names[] = {
		"time", "kernel", "kernel_version", "machine", "cmdline", "command", NULL
	};
	int i;

	fprintf(o->out, "  \"%c\": {", 'a' + side);
	json_pair(o, "recording", d->path[side]);
	for (i = 0; names[i]; i++) {
		char *value = data_meta(d->data[side], names[i]);

		fputs(", ", o->out);
		json_pair(o, names[i], value);
		free(value);
	}
	fputs("},\n", o->out);
}

static void json_changes(const struct diff_output *o, const struct diff *d)
{
	size_t i;

	fputs("  \"differences\": [", o->out);
	for (i = 0; i < d->nr_changes; i++) {
		const struct diff_change *c = &d->change[i];

		fprintf(o->out, "%s\n    {\"kind\": \"%s\", ", i ? "," : "", c->kind);
		json_pair(o, "name", c->name);
		fputs(", ", o->out);
		json_pair(o, "a", c->value[DIFF_A]);
		fputs(", ", o->out);
		json_pair(o, "b", c->value[DIFF_B]);
		fputc('}', o->out);
	}
	fputs("\n  ],\n", o->out);
}

static void json_absences(const struct diff_output *o, const struct diff *d)
{
	size_t i;

	fputs("  \"absent\": [", o->out);
	for (i = 0; i < d->nr_absences; i++) {
		const struct diff_absence *a = &d->absence[i];

		fprintf(o->out, "%s\n    {", i ? "," : "");
		json_pair(o, "target", a->target);
		fprintf(o->out, ", \"side\": \"%c\", ", 'a' + a->side);
		json_pair(o, "reason", diff_reason_names[a->reason]);
		fputs(", ", o->out);
		json_pair(o, "twin", a->twin);
		fputc('}', o->out);
	}
	fputs("\n  ],\n", o->out);
}

static void json_interval(const struct diff_output *o, const char *name, const struct interval *in)
{
	if (in->known)
		fprintf(o->out, ", \"%s\": [%.1f, %.1f]", name, in->low, in->high);
	else
		fprintf(o->out, ", \"%s\": null", name);
}

static void json_numbers(const struct diff_output *o, const char *name, const struct lat_row *row)
{
	if (!row) {
		fprintf(o->out, ",\n     \"%s\": null", name);
		return;
	}
	fprintf(o->out, ",\n     \"%s\": {\"calls\": %" PRIu64 ", \"total_ns\": %" PRIu64
		", \"self_ns\": %" PRIu64 ", \"avg_ns\": %.1f, \"p50_ns\": %" PRIu64 ", \"p99_ns\": %" PRIu64 "}", name,
		row->calls, row->total, row->self, lat_avg(row), row->p50, row->p99);
}

static void json_row(const struct diff_output *o, const struct diff_row *row)
{
	fputs("\n    {", o->out);
	json_pair(o, "target", diff_name(row)->target);
	fputs(", ", o->out);
	json_pair(o, "context", diff_name(row)->context);
	fprintf(o->out, ", \"verdict\": \"%s\"", diff_verdict_names[row->verdict]);
	if (is_common(row))
		fprintf(o->out, ", \"calls_verdict\": \"%s\"", diff_calls_names[row->calls]);
	fprintf(o->out, ",\n     \"cost_ns\": %.0f, \"cost_calls_ns\": %.0f, \"cost_time_ns\": %.0f"
		", \"cost_self_ns\": %.0f", row->cost, row->cost_calls, row->cost_time,
		row->cost_self);
	json_numbers(o, "a", row->side[DIFF_A]);
	json_numbers(o, "b", row->side[DIFF_B]);
	if (is_common(row)) {
		fprintf(o->out, ",\n     \"difference_ns\": %.1f", row->difference);
		json_interval(o, "confidence_ns", &row->confidence);
		if (row->ratio)
			fprintf(o->out, ", \"ratio\": %.4f", row->ratio);
		else
			fputs(", \"ratio\": null", o->out);
		json_interval(o, "p50_confidence_ns", &row->p50);
		json_interval(o, "p99_confidence_ns", &row->p99);
	}
	fputc('}', o->out);
}

void diff_print_json(const struct diff_output *o, const struct diff *d)
{
	size_t i, nr = diff_rows_shown(o, d);

	fputs("{\n", o->out);
	json_side(o, d, DIFF_A);
	json_side(o, d, DIFF_B);
	json_changes(o, d);
	json_absences(o, d);
	fprintf(o->out, "  \"threshold_percent\": %g,\n  \"rows\": [", d->threshold);
	for (i = 0; i < nr; i++) {
		if (i)
			fputc(',', o->out);
		json_row(o, &d->row[i]);
	}
	fputs("\n  ]\n}\n", o->out);
}
