/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns.h - a table for people: numbers to the right, texts to the left
 */
#ifndef KPROF_COLUMNS_H
#define KPROF_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

#include "lib/buf.h"

struct columns {
	struct buf text;	/* of all cells, each with a NUL behind it */
	size_t nr;		/* of columns */
	size_t left;		/* the last of them, which are texts */
	size_t cells;
};

/* Begin with the cells of the header: @nr names, the last @left of them of texts. */
void columns_begin(struct columns *c, const char *const *name, size_t nr, size_t left);
void columns_add(struct columns *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The header after a '#', then the rows; then it is empty. */
void columns_print(struct columns *c, FILE *out);

#endif /* KPROF_COLUMNS_H */
