/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demangle.h - demangle the names of C++, Rust and D functions
 */
#ifndef KPROF_USER_DEMANGLE_H
#define KPROF_USER_DEMANGLE_H

#include "lib/buf.h"

/* Append a name, demangled if it is mangled and the result is not too long. */
void user_demangle(struct buf *out, const char *name);

#endif /* KPROF_USER_DEMANGLE_H */
