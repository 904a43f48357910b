/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - the text of instructions, as objdump shows it: AT&T syntax on x86-64
 */
#ifndef KPROF_CODE_TEXT_H
#define KPROF_CODE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/buf.h"
#include "symbols/symtab.h"

struct code_text;

/*
 * For code of a machine as uname(2) names it. NULL if this program cannot decode that: there is
 * no capstone, see code_text_missing(). Call code_text_close() afterwards, with NULL, too.
 */
struct code_text *code_text_open(const char *machine);
void code_text_close(struct code_text *t);

/* Why there is no capstone. */
const char *code_text_missing(void);

/* Show addresses less @base: user code's are places, of which the offset in the file is shown. */
void code_text_base(struct code_text *t, uint64_t base);

/*
 * Append the text of the instruction at @bytes, with the name of what it calls. Returns its size;
 * if these bytes are no instruction, 0, and nothing is appended.
 */
size_t code_text_add(struct code_text *t, const uint8_t *bytes, size_t left, uint64_t addr,
		     const struct symtab *symbols, struct buf *out);

#endif /* KPROF_CODE_TEXT_H */
