/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * readable.h - what the name of a C++, Rust or D function is when it is readable
 */
#ifndef KPROF_USER_READABLE_H
#define KPROF_USER_READABLE_H

#include "lib/buf.h"

#define READABLE_MAX	16384	/* bytes of a readable name */

/*
 * Append it; or the name as it is, if that is not mangled, or if what is readable is longer than
 * READABLE_MAX: a part of a name may be the same as of another function. There are names for which
 * this has no end: see demangle.h.
 */
void readable_name(struct buf *out, const char *name);

#endif /* KPROF_USER_READABLE_H */
