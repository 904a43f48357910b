// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_formats.c - the table of latencies for programs: CSV and JSON
 */
#include <inttypes.h>

#include "account.h"
#include "lat.h"
#include "meta_json.h"
#include "quote.h"

/* --- CSV --- */

static void csv_header(const struct lat_output *o)
{
	const char *unit = lat_unit_names[o->unit];
	static const char *const columns[] = {
		"total", "self", "avg", "min", "p50", "p90", "p99", "max", NULL
	};
	int i;

	fprintf(o->out, "%starget,context,calls,missed", o->nr ? "interval," : "");
	for (i = 0; columns[i]; i++)
		fprintf(o->out, ",%s_%s", columns[i], unit);
	fputc('\n', o->out);
}

void lat_print_csv(const struct lat_output *o, const struct lat_table *t)
{
	static const int digits[] = { [LAT_NS] = 0, [LAT_US] = 3, [LAT_MS] = 6 };
	size_t i, v, nr = lat_rows_shown(o, t);

	if (o->nr <= 1)
		csv_header(o);
	for (i = 0; i < nr; i++) {
		const struct lat_row *row = &t->row[i];
		const double value[] = {
			row->total, row->self, lat_avg(row), row->min, row->p50, row->p90,
			row->p99, row->max,
		};

		if (o->nr)
			fprintf(o->out, "%d,", o->nr);
		quote_csv(row->target, o->out);
		fputc(',', o->out);
		quote_csv(row->context, o->out);
		fprintf(o->out, ",%" PRIu64 ",%" PRIu64, row->calls, row->missed);
		for (v = 0; v < sizeof(value) / sizeof(*value); v++)
			fprintf(o->out, ",%.*f", digits[o->unit], value[v] / lat_unit_ns[o->unit]);
		fputc('\n', o->out);
	}
}

/* --- JSON: always nanoseconds --- */

static void json_meta(const struct lat_output *o)
{
	meta_json(o->data, o->out);
	fprintf(o->out, "  \"interval\": %d,\n", o->nr);
}

static void json_probes(const struct lat_output *o)
{
	struct lat_probe probe[LAT_NR_PROBES];
	int i, nr = lat_probes(o->data, probe);

	fputs("  \"probes\": [", o->out);
	for (i = 0; i < nr; i++) {
		fprintf(o->out, "%s\n    {\"kind\": \"%s\", ", i ? "," : "", probe[i].kind);
		if (probe[i].calibrated)
			fprintf(o->out, "\"cost_ns\": %" PRIu64 ", \"seen_ns\": %" PRIu64 ", ",
				probe[i].cost_ns, probe[i].seen_ns);
		else
			fputs("\"cost_ns\": null, \"seen_ns\": null, ", o->out);
		fputs("\"targets\": ", o->out);
		quote_json(probe[i].targets.data, o->out);
		fputc('}', o->out);
	}
	fputs("\n  ],\n", o->out);
	lat_probes_free(probe);
}

static void json_losses(const struct lat_output *o)
{
	struct buf causes = { 0 };
	uint64_t lost;

	buf_add(&causes, "", 0);
	lost = account_dropped(&o->data->text[DATA_STATS_BEFORE], &o->data->text[DATA_STATS],
			       &causes);
	fprintf(o->out, "  \"lost\": %" PRIu64 ",\n  \"causes\": ", lost);
	quote_json(causes.data, o->out);
	fputs(",\n", o->out);
	buf_free(&causes);
}

static void json_row(const struct lat_output *o, const struct lat_row *row)
{
	size_t i;

	fputs("    {\"target\": ", o->out);
	quote_json(row->target, o->out);
	fputs(", \"context\": ", o->out);
	quote_json(row->context, o->out);
	fprintf(o->out, ", \"calls\": %" PRIu64 ", \"missed\": %" PRIu64 ", \"total_ns\": %" PRIu64
		", \"self_ns\": %" PRIu64 ",\n     \"avg_ns\": %.1f, \"min_ns\": %" PRIu64
		", \"p50_ns\": %" PRIu64 ", \"p90_ns\": %" PRIu64 ", \"p99_ns\": %" PRIu64
		", \"max_ns\": %" PRIu64 ",\n     \"buckets\": [",
		row->calls, row->missed, row->total, row->self, lat_avg(row), row->min, row->p50,
		row->p90, row->p99, row->max);
	for (i = 0; i < row->nr_buckets; i++)
		fprintf(o->out, "%s[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", i ? ", " : "",
			row->bucket[i].low, row->bucket[i].high, row->bucket[i].calls);
	fputs("]}", o->out);
}

void lat_print_json(const struct lat_output *o, const struct lat_table *t)
{
	size_t i, nr = lat_rows_shown(o, t);

	fputs("{\n", o->out);
	json_meta(o);
	json_probes(o);
	json_losses(o);
	fputs("  \"rows\": [\n", o->out);
	for (i = 0; i < nr; i++) {
		json_row(o, &t->row[i]);
		fputs(i + 1 < nr ? ",\n" : "\n", o->out);
	}
	fputs("  ]\n}\n", o->out);
}
