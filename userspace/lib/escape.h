/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * escape.h - escape characters that must not reach a terminal or a document
 *
 * Any user can choose the name of a task, and a file may contain anything: control
 * characters, terminal escape sequences, bidirectional controls, invalid UTF-8. Only this
 * file decides which characters are unsafe. They are printed as "\x1b" or "\u202e" in
 * messages, tables, CSV, JSON and SVG.
 */
#ifndef KPROF_ESCAPE_H
#define KPROF_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/buf.h"

#define ESCAPE_INVALID	UINT32_MAX	/* not a character: a byte that is not valid UTF-8 */
#define ESCAPE_SIZE	12		/* of an escaped character, with the NUL */

/* Decode the character at *text and move *text past it. *text must be less than @end. */
uint32_t escape_next(const char **text, const char *end);

/* Can this character be shown unescaped? ' ' can; other ASCII white space cannot. */
bool escape_is_plain(uint32_t c);

/* Can the whole text be shown unescaped? */
bool escape_is_plain_text(const char *text, size_t len);

/* Append a text, escaped. Line feeds and tabs are escaped, too. */
void escape_add(struct buf *out, const char *text, size_t len);

/* The same, but line feeds and tabs are kept. */
void escape_add_lines(struct buf *out, const char *text, size_t len);

/* Like escape_add(), to a stream. */
void escape_print(const char *text, FILE *out);

/* Undo octal escapes such as "\012", which the module writes for characters that end a line. */
void escape_undo_octal(char *text);

/*
 * Make stdout and stderr escape everything written to them, except line feeds and tabs. This
 * catches any text that a caller forgot to escape.
 */
void escape_begin(void);

/* Flush stdout. Returns the errno of the first failed write to standard output, or 0. */
int escape_end(void);

/* The reader of standard output has gone, as a pager may early, and another one is there. */
void escape_forget_reader(void);

/* Write one of kprof's own terminal sequences to stdout or stderr, unescaped. */
void escape_paint(const char *sequence, FILE *out);

#endif /* KPROF_ESCAPE_H */
