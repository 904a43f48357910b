/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns.h - a text table: numbers right-aligned, then texts left-aligned
 */
#ifndef KPROF_COLUMNS_H
#define KPROF_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

#include "lib/buf.h"

struct columns {
	struct buf text;	/* all cells, each NUL-terminated */
	size_t nr;		/* number of columns */
	size_t left;		/* how many of the last columns are texts */
	size_t cells;
};

/* Start a table with a header of @nr names; the last @left columns are texts. */
void columns_begin(struct columns *c, const char *const *name, size_t nr, size_t left);
/* A cell; what must not reach a terminal in it is escaped, and a long text is shortened. */
void columns_add(struct columns *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same; its line feeds are kept, such as of a stack below its row. */
void columns_add_lines(struct columns *c, const char *text);
/* Print the header line, which begins with '#', then the rows; empty the table. */
void columns_print(struct columns *c, FILE *out);

#endif /* KPROF_COLUMNS_H */
