/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * library.h - find a shared library by its name, as the dynamic linker does
 */
#ifndef KPROF_USER_LIBRARY_H
#define KPROF_USER_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/buf.h"

#define LIBRARY_CACHE	"/etc/ld.so.cache"

/*
 * Append the path of a library to @path: "libc" is libc.so.6, whatever number follows ".so"; a full
 * name such as "libc.so.6" is that. @cache is the text of LIBRARY_CACHE, which may be anything.
 * Returns false if it has no such library for 64-bit programs of this machine.
 */
bool library_find(const struct buf *cache, const char *name, struct buf *path);

#endif /* KPROF_USER_LIBRARY_H */
