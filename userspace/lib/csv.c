// SPDX-License-Identifier: GPL-2.0-only
/*
 * csv.c - write CSV: separators and quotes
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "lib/buf.h"
#include "lib/csv.h"
#include "lib/escape.h"

struct csv csv_begin(FILE *out, const char *separator)
{
	return (struct csv){ .out = out, .separator = separator ? separator : "," };
}

static void begin_field(struct csv *c)
{
	if (c->begun)
		fputs(c->separator, c->out);
	c->begun = true;
}

void csv_text(struct csv *c, const char *text)
{
	struct buf plain = { 0 };
	const char *p;

	begin_field(c);
	escape_add(&plain, text, strlen(text));
	if (strchr(plain.data, '"') || (*c->separator && strstr(plain.data, c->separator))) {
		fputc('"', c->out);
		for (p = plain.data; *p; p++) {
			if (*p == '"')
				fputc('"', c->out);
			fputc(*p, c->out);
		}
		fputc('"', c->out);
	} else {
		fwrite(plain.data, 1, plain.len, c->out);
	}
	buf_free(&plain);
}

void csv_textf(struct csv *c, const char *fmt, ...)
{
	struct buf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	csv_text(c, text.data);
	buf_free(&text);
}

void csv_u64(struct csv *c, uint64_t value)
{
	begin_field(c);
	fprintf(c->out, "%" PRIu64, value);
}

void csv_number(struct csv *c, double value, int digits)
{
	begin_field(c);
	if (isfinite(value))
		fprintf(c->out, "%.*f", digits, value);
}

void csv_empty(struct csv *c)
{
	begin_field(c);
}

void csv_end_line(struct csv *c)
{
	fputc('\n', c->out);
	c->begun = false;
}
