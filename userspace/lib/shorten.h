/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shorten.h - show a long name by its beginning and its end
 *
 * Names of C++ functions have thousands of characters, and often differ in the last ones only. So
 * the middle is left out, and only where a name is shown: whoever compares names compares all of
 * them.
 */
#ifndef KPROF_SHORTEN_H
#define KPROF_SHORTEN_H

#include <stddef.h>

#include "lib/buf.h"

#define SHORTEN_MAX	1000	/* bytes of a name that are shown as they are */

/* Append a text; of one that is longer than SHORTEN_MAX, its two ends with "..." between them. */
void shorten_add(struct buf *out, const char *text, size_t len);

#endif /* KPROF_SHORTEN_H */
