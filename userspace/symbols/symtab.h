/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symtab.h - the symbol table of a kernel, from /proc/kallsyms or from a recording
 */
#ifndef KPROF_SYMTAB_H
#define KPROF_SYMTAB_H

#include <stddef.h>
#include <stdint.h>

#include "lib/buf.h"

struct symbol {
	uint64_t start, size;
	const char *name;
	const char *module;	/* NULL: the kernel itself */
};

/* Sorted by address; @text holds the names. Zero-initialise, then load. */
struct symtab {
	struct symbol *sym;
	size_t nr, room;
	char *text;
};

/*
 * Load the text symbols of a kallsyms file ("ADDRESS TYPE NAME [MODULE]").
 * Returns -1 with errno set if it cannot be read: EACCES if every address is
 * hidden (kptr_restrict), EINVAL if a line is malformed.
 */
int symtab_load_kallsyms(struct symtab *s, const char *path);

/* The same for its data symbols: variables. */
int symtab_load_kallsyms_data(struct symtab *s, const char *path);

/* If an address has several names, prefer one that is in the module's list of targets. */
void symtab_prefer(struct symtab *s, const char *lines);

/*
 * The format of symbols in a recording: lines "START SIZE NAME [MODULE]" with
 * hexadecimal numbers, in any order. symtab_parse() takes over @text; it
 * returns -1 if a line is malformed.
 */
void symtab_print(struct buf *out, const struct symbol *sym);
int symtab_parse(struct symtab *s, struct buf *text);

/*
 * The same for user code: lines "START SIZE<tab>FILE<tab>NAME". START is a place, as in user
 * stacks (see kprof.h). A name may have spaces.
 */
int symtab_parse_code(struct symtab *s, struct buf *text);

/* The symbol that covers an address, or NULL. */
const struct symbol *symtab_find(const struct symtab *s, uint64_t addr);

void symtab_free(struct symtab *s);

#endif /* KPROF_SYMTAB_H */
