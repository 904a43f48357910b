/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symtab.h - the functions of a kernel: from /proc/kallsyms or from a recording
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
 * -1 with errno where it cannot be read; EACCES where every address is hidden
 * (kptr_restrict); EINVAL where a line is not of that form.
 */
int symtab_load_kallsyms(struct symtab *s, const char *path);

/* Of the names of one address, those in the module's list of targets are what it is called. */
void symtab_prefer(struct symtab *s, const char *lines);

/*
 * The form in which a recording carries symbols: lines "START SIZE NAME
 * [MODULE]", the numbers hexadecimal. symtab_parse() takes @text over, whose
 * lines may come in any order; -1 where one is malformed.
 */
void symtab_print(struct buf *out, const struct symbol *sym);
int symtab_parse(struct symtab *s, struct buf *text);

/*
 * The same for user code: lines "START SIZE<tab>FILE<tab>NAME", where START is a place as user
 * stacks have it (see kprof.h), and a name may have spaces.
 */
int symtab_parse_code(struct symtab *s, struct buf *text);

/* The symbol that covers an address, or NULL. */
const struct symbol *symtab_find(const struct symtab *s, uint64_t addr);

void symtab_free(struct symtab *s);

#endif /* KPROF_SYMTAB_H */
