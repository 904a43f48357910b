/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * completion.h - shell completion scripts: the common part, and a printer for each shell
 *
 * The kind of a value follows from the name of its argument in the table of options, which
 * --help shows, too: FILE, PID, FUNCTION, or one of the choices.
 */
#ifndef KPROF_COMPLETION_H
#define KPROF_COMPLETION_H

#include <stdio.h>

#include "lib/opt.h"

/* "words", "list" (several, separated by , or +), "files", "pids", "functions" or "none". */
const char *completion_kind(const struct opt *o);
/* The same for operands; can also be "commands". */
const char *completion_operands(const struct verb *verb);
/* The words of "words" and "list", NULL-terminated; or NULL. */
const char *const *completion_words(const struct opt *o);
/* The same for operands. */
const char *const *completion_operand_words(const struct verb *verb);

/* Print the text in single quotes, on one line. A quote inside becomes @quote. */
void completion_quote(const char *text, const char *quote);

void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

#endif /* KPROF_COMPLETION_H */
