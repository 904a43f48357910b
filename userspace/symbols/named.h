/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * named.h - the one function that a user names
 */
#ifndef KPROF_NAMED_H
#define KPROF_NAMED_H

#include <stdbool.h>

#include "symbols/symtab.h"

/* Is that NAME, or MODULE:NAME? Without the name of a module, functions of all modules match. */
bool named_is(const struct symbol *sym, const char *name);

/*
 * Is @name a readable name of a function of C++ or Rust, without what that has besides: "f" is
 * "f(int)", "f<int>" and "void f<int>(int) const".
 */
bool named_fits(const char *full, const char *name);

/* named_is(), but as named_fits() has it. */
bool named_is_bare(const struct symbol *sym, const char *name);

/*
 * Find NAME, MODULE:NAME or NAME@0xADDRESS among @symbols; if none is named so, then without its
 * parameters, as named_is_bare() has it. @where: for the message that there is
 * none, such as " here". *@found is set on success. Returns EXIT_OK; after a message EXIT_ERROR, if
 * there is none or several have the name, or EXIT_USAGE.
 */
int named_find(const struct symtab *symbols, const char *name, const char *where,
	       const struct symbol **found);

#endif /* KPROF_NAMED_H */
