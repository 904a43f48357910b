/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * escape.h - escape what must not reach a terminal or a document
 *
 * Any user can choose the name of a task, and a file may contain anything: control
 * characters, terminal escape sequences, marks that reverse the direction of writing,
 * invalid UTF-8. All of them are known here and nowhere else. They are printed as "\x1b"
 * or "\u202e" in messages, tables, CSV, JSON and pictures.
 */
#ifndef KPROF_ESCAPE_H
#define KPROF_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/buf.h"

#define ESCAPE_INVALID	UINT32_MAX	/* not a character: a byte that is no UTF-8 */
#define ESCAPE_SIZE	12		/* of an escaped character, with the NUL */

/* The character at *text, which goes on behind it; *text < end. */
uint32_t escape_next(const char **text, const char *end);

/* May this character be shown as it is? White space other than ' ' may not. */
bool escape_is_plain(uint32_t c);

/* Could all of a text be shown as it is? */
bool escape_is_plain_text(const char *text, size_t len);

/* Append a text, escaped: on one line, without a tab. */
void escape_add(struct buf *out, const char *text, size_t len);

/* The same, but line feeds and tabs stay. */
void escape_add_lines(struct buf *out, const char *text, size_t len);

/* Like escape_add(), to a stream. */
void escape_print(const char *text, FILE *out);

/*
 * From now on stdout and stderr escape what they are given, but for line feeds and tabs:
 * what was not escaped before does not get past.
 */
void escape_begin(void);

/* Write out what is left; the errno of the first write to standard output that failed. */
int escape_end(void);

/* A sequence of our own for the terminal at stdout or stderr. */
void escape_paint(const char *sequence, FILE *out);

#endif /* KPROF_ESCAPE_H */
