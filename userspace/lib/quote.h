/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quote.h - words of a command for the shell
 */
#ifndef KPROF_QUOTE_H
#define KPROF_QUOTE_H

#include "lib/buf.h"

/* Append a text in single quotes, as one word of the shell. */
void quote_add(struct buf *out, const char *text);

/* The same, without the quotes where the shell takes the text as it is. */
void quote_add_word(struct buf *out, const char *text);

#endif /* KPROF_QUOTE_H */
