/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inlined.h - what was inlined where into user code, and its source lines, as a recording has them
 */
#ifndef KPROF_SYMBOLS_INLINED_H
#define KPROF_SYMBOLS_INLINED_H

#include <stddef.h>
#include <stdint.h>

#include "lib/buf.h"

#define INLINED_DEPTH	32	/* functions in one another, inlined into one more */

/* A function that a place belongs to, and the line of the place, or of the call inlined there. */
struct inlined_frame {
	uint64_t place;		/* as in user stacks */
	const char *name;	/* "": the function that has the symbol */
	const char *file;	/* NULL: not known */
	uint32_t line;		/* 0: not known */
};

/* Sorted by place; @text holds the names. Zero-initialise, then parse. */
struct inlined {
	struct inlined_frame *frame;
	size_t nr, room;
	char *text;
};

/*
 * Lines "PLACE LINE<tab>FILE<tab>NAME", PLACE hexadecimal; those of one place follow each other,
 * the innermost function first. FILE and NAME may be empty. Takes over @text. Returns -1 if a line
 * is malformed, or if a place is in more functions than INLINED_DEPTH and one.
 */
int inlined_parse(struct inlined *in, struct buf *text);

/* Append such a line; what would end a field of it is replaced. */
void inlined_print(struct buf *out, const struct inlined_frame *frame);

/* The functions at a place, innermost first, and how many; NULL and 0 if it has none. */
const struct inlined_frame *inlined_find(const struct inlined *in, uint64_t place, size_t *nr);

void inlined_free(struct inlined *in);

#endif /* KPROF_SYMBOLS_INLINED_H */
