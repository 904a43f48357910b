// SPDX-License-Identifier: GPL-2.0-only
/*
 * json.c - write JSON: commas, indentation, escaping
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/json.h"
#include "lib/msg.h"

struct json json_begin(FILE *out)
{
	return (struct json){ .out = out, .lines = { true } };
}

static void write_escape(uint32_t c, FILE *out)
{
	if (c >= 0x10000)	/* needs a surrogate pair */
		fprintf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd7c0 + (c >> 10),
			0xdc00 + (c & 0x3ff));
	else
		fprintf(out, "\\u%04" PRIx32, c);
}

static void write_text(const char *text, FILE *out)
{
	const char *end = text + strlen(text), *from;
	uint32_t c;

	fputc('"', out);
	while (text < end) {
		from = text;
		c = escape_next(&text, end);
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", (int)c);
		else if (c == ESCAPE_INVALID)
			fputs("\\ufffd", out);
		else if (escape_is_plain(c))
			fwrite(from, 1, text - from, out);
		else
			write_escape(c, out);
	}
	fputc('"', out);
}

static void new_line(struct json *j)
{
	fprintf(j->out, "\n%*s", 2 * j->indent, "");
}

/* Write everything that comes before a value. */
static void begin_value(struct json *j, const char *name)
{
	int d = j->depth;

	if (j->value[d])
		fputs(j->lines[d] ? "," : ", ", j->out);
	if (d && j->lines[d])
		new_line(j);
	j->value[d] = true;
	if (name) {
		write_text(name, j->out);
		fputs(": ", j->out);
	}
}

static void open_container(struct json *j, const char *name, enum json_layout layout,
			   const char *brackets)
{
	begin_value(j, name);
	fputc(brackets[0], j->out);
	if (j->depth + 1 >= JSON_DEPTH)
		exit(msg_error("JSON is nested too deeply"));
	j->depth++;
	j->value[j->depth] = false;
	j->lines[j->depth] = layout == JSON_LINES;
	j->closing[j->depth] = brackets[1];
	j->indent += j->lines[j->depth];
}

void json_object(struct json *j, const char *name, enum json_layout layout)
{
	open_container(j, name, layout, "{}");
}

void json_array(struct json *j, const char *name, enum json_layout layout)
{
	open_container(j, name, layout, "[]");
}

void json_close(struct json *j)
{
	int d = j->depth--;

	j->indent -= j->lines[d];
	if (j->lines[d])
		new_line(j);
	fputc(j->closing[d], j->out);
}

void json_end(struct json *j)
{
	while (j->depth)
		json_close(j);
	fputc('\n', j->out);
}

void json_text(struct json *j, const char *name, const char *text)
{
	begin_value(j, name);
	if (text)
		write_text(text, j->out);
	else
		fputs("null", j->out);
}

void json_u64(struct json *j, const char *name, uint64_t value)
{
	begin_value(j, name);
	fprintf(j->out, "%" PRIu64, value);
}

void json_number(struct json *j, const char *name, double value, int digits)
{
	begin_value(j, name);
	if (isfinite(value))
		fprintf(j->out, "%.*f", digits, value);
	else
		fputs("null", j->out);
}

/* Is it a whole number in JSON, without a leading zero, that fits a double exactly? */
static bool is_whole_number(const char *text)
{
	size_t len = strlen(text);

	return len && len <= 15 && strspn(text, "0123456789") == len && (*text != '0' || len == 1);
}

void json_text_or_number(struct json *j, const char *name, const char *text)
{
	if (!is_whole_number(text)) {
		json_text(j, name, text);
		return;
	}
	begin_value(j, name);
	fputs(text, j->out);
}

void json_bool(struct json *j, const char *name, bool value)
{
	begin_value(j, name);
	fputs(value ? "true" : "false", j->out);
}

void json_null(struct json *j, const char *name)
{
	json_text(j, name, NULL);
}
