/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_read.h - read a text of stacks, whichever program printed it
 */
#ifndef KPROF_TEXT_READ_H
#define KPROF_TEXT_READ_H

#include "data/folded.h"
#include "data/text_kind.h"
#include "lib/input.h"

#define TEXT_LINE_MAX	(4u << 20)	/* bytes */

struct text_filter;

/*
 * Read an input, which is of that kind. @filter: of text_filter.h,
 * whose check this makes, too; NULL: all stacks are taken. A line that cannot be parsed is reported
 * and counted in f->bad_lines. Returns EXIT_OK; or, after a message, EXIT_USAGE if the text cannot
 * answer the filter, and EXIT_ERROR if the input cannot be read, is not text (it has a NUL, or a
 * line longer than TEXT_LINE_MAX), or has no names.
 */
int text_read(struct folded *f, struct input *in, enum text_kind kind,
	      struct text_filter *filter);

#endif /* KPROF_TEXT_READ_H */
