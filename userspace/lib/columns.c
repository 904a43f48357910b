// SPDX-License-Identifier: GPL-2.0-only
/*
 * columns.c - a text table: numbers right-aligned, then texts left-aligned
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/columns.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/shorten.h"

void columns_begin(struct columns *c, const char *const *name, size_t nr, size_t left)
{
	size_t i;

	*c = (struct columns){ .nr = nr, .left = left };
	for (i = 0; i < nr; i++)
		columns_add(c, "%s", name[i]);
}

void columns_add(struct columns *c, const char *fmt, ...)
{
	struct buf cell = { 0 }, shown = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&cell, fmt, ap);
	va_end(ap);
	/* The name of a task may have a line feed, which would begin a row. */
	shorten_add(&shown, cell.data, cell.len);
	escape_add(&c->text, shown.data, shown.len);
	buf_add(&c->text, "", 1);
	buf_free(&cell);
	buf_free(&shown);
	c->cells++;
}

void columns_add_lines(struct columns *c, const char *text)
{
	escape_add_lines(&c->text, text, strlen(text));
	buf_add(&c->text, "", 1);
	c->cells++;
}

static void print_cell(const struct columns *c, size_t i, const char *cell, int width, FILE *out)
{
	size_t column = i % c->nr;

	if (!column)
		fputs(i < c->nr ? "# " : "  ", out);
	if (column < c->nr - c->left)
		fprintf(out, "%s%*s", column ? "  " : "", width, cell);
	else if (column < c->nr - 1)
		fprintf(out, "  %-*s", width, cell);
	else
		fprintf(out, "  %s\n", cell);
}

void columns_print(struct columns *c, FILE *out)
{
	int *width = mem_zalloc(c->nr, sizeof(*width));
	const char *cell;
	size_t i;

	for (i = 0, cell = c->text.data; i < c->cells; i++, cell += strlen(cell) + 1)
		if ((int)strlen(cell) > width[i % c->nr])
			width[i % c->nr] = strlen(cell);
	for (i = 0, cell = c->text.data; i < c->cells; i++, cell += strlen(cell) + 1)
		print_cell(c, i, cell, width[i % c->nr], out);
	free(width);
	buf_free(&c->text);
	c->cells = 0;
}
