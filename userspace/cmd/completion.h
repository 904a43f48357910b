/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * completion.h - completion scripts: what all shells are told, and the printer for each
 *
 * What a value is follows from the name of its argument in the table of options, as it
 * does for whoever reads --help: FILE, PID, FUNCTION, or one of the choices.
 */
#ifndef KPROF_COMPLETION_H
#define KPROF_COMPLETION_H

#include <stdio.h>

#include "lib/opt.h"

/* "words", "list" (several, with , or + between them), "files", "pids", "functions" or "none". */
const char *completion_kind(const struct opt *o);
/* The same of operands; or "commands". */
const char *completion_operands(const struct verb *verb);
/* The words of "words" and "list", up to a NULL; or NULL. */
const char *const *completion_words(const struct opt *o);
/* Those of an operand. */
const char *const *completion_operand_words(const struct verb *verb);

/* In single quotes, on one line; a quote inside becomes @quote. */
void completion_quote(const char *text, const char *quote);

void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

#endif /* KPROF_COMPLETION_H */
