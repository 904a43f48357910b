/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demangle.h - names as their authors wrote them: C++, Rust, D
 */
#ifndef KPROF_USER_DEMANGLE_H
#define KPROF_USER_DEMANGLE_H

#include "lib/buf.h"

/* Append a name, demangled if it is mangled and not of absurd length. */
void user_demangle(struct buf *out, const char *name);

#endif /* KPROF_USER_DEMANGLE_H */
