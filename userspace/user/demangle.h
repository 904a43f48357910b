/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demangle.h - demangle the names of C++, Rust and D functions, also those made to have no end
 */
#ifndef KPROF_USER_DEMANGLE_H
#define KPROF_USER_DEMANGLE_H

#include <stdbool.h>

#include "lib/buf.h"

#define DEMANGLE_FAILURES	8	/* names that take too much; then none is demangled */

/* May it be a mangled name, by how it begins? */
bool user_is_mangled(const char *name);

/* Append a name, demangled if it is mangled, in no more time and memory than a name may take. */
void user_demangle(struct buf *out, const char *name);

#endif /* KPROF_USER_DEMANGLE_H */
