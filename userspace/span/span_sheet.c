// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_sheet.c - a table of which each cell is given once, as text or CSV
 */
#include "span/span.h"

void span_sheet_begin(struct span_sheet *s, bool csv, const char *const *name, size_t nr,
		      size_t left)
{
	size_t i;

	*s = (struct span_sheet){ .is_csv = csv, .nr = nr };
	if (!csv) {
		columns_begin(&s->columns, name, nr, left);
		return;
	}
	s->csv = csv_begin(stdout, NULL);
	for (i = 0; i < nr; i++)
		csv_text(&s->csv, name[i]);
	csv_end_line(&s->csv);
}

static void next(struct span_sheet *s)
{
	if (++s->at < s->nr)
		return;
	s->at = 0;
	if (s->is_csv)
		csv_end_line(&s->csv);
}

void span_sheet_number(struct span_sheet *s, double value, int digits)
{
	if (s->is_csv)
		csv_number(&s->csv, value, digits);
	else
		columns_add(&s->columns, "%.*f", digits, value);
	next(s);
}

void span_sheet_text(struct span_sheet *s, const char *text)
{
	if (s->is_csv)
		csv_text(&s->csv, text);
	else
		columns_add(&s->columns, "%s", text);
	next(s);
}

void span_sheet_end(struct span_sheet *s)
{
	if (!s->is_csv)
		columns_print(&s->columns, stdout);
}
