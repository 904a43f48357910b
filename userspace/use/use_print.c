// SPDX-License-Identifier: GPL-2.0-only
/*
 * use_print.c - print the figures as text, CSV and JSON
 */
#include <stdio.h>

#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/json.h"
#include "use/use.h"

static const char *const whats[] = { "utilisation", "saturation", "errors" };

/* Errors are whole numbers; other figures are shares or averages. */
static int digits(const struct use_row *row)
{
	return row->what == USE_ERRORS ? 0 : row->what == USE_SATURATION ? 2 : 1;
}

static void print_text(const struct use_rows *rows)
{
	static const char *const names[] = { "value", "unit", "resource", "what", "from" };
	const size_t nr = sizeof(names) / sizeof(*names);
	const struct use_row *row;
	struct columns c;
	size_t i;

	columns_begin(&c, names, nr, nr - 1);
	for (i = 0; i < rows->nr; i++) {
		row = &rows->row[i];
		if (row->known)
			columns_add(&c, "%.*f", digits(row), row->value);
		else
			columns_add(&c, "-");
		columns_add(&c, "%s", row->unit);
		columns_add(&c, "%s", row->resource);
		columns_add(&c, "%s", whats[row->what]);
		columns_add(&c, "%s", row->from);
	}
	columns_print(&c, stdout);
}

static void print_csv(const struct use_rows *rows)
{
	struct csv c = csv_begin(stdout, NULL);
	const struct use_row *row;
	size_t i;

	puts("resource,what,value,unit,from");
	for (i = 0; i < rows->nr; i++) {
		row = &rows->row[i];
		csv_text(&c, row->resource);
		csv_text(&c, whats[row->what]);
		if (row->known)
			csv_number(&c, row->value, digits(row));
		else
			csv_empty(&c);
		csv_text(&c, row->unit);
		csv_text(&c, row->from);
		csv_end_line(&c);
	}
}

static void print_json(const struct use_rows *rows, double seconds)
{
	struct json j = json_begin(stdout);
	const struct use_row *row;
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_number(&j, "seconds", seconds, 3);
	json_array(&j, "resources", JSON_LINES);
	for (i = 0; i < rows->nr; i++) {
		row = &rows->row[i];
		json_object(&j, NULL, JSON_LINE);
		json_text(&j, "resource", row->resource);
		json_text(&j, "what", whats[row->what]);
		if (row->known)
			json_number(&j, "value", row->value, digits(row));
		else
			json_null(&j, "value");
		json_text(&j, "unit", row->unit);
		json_text(&j, "from", row->from);
		json_close(&j);
	}
	json_close(&j);
	json_end(&j);
}

void use_print(const struct use_rows *rows, enum use_format format, double seconds)
{
	if (format == USE_CSV)
		print_csv(rows);
	else if (format == USE_JSON)
		print_json(rows, seconds);
	else
		print_text(rows);
	fflush(stdout);
}
