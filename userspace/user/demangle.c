// SPDX-License-Identifier: GPL-2.0-only
/*
 * demangle.c - demangle the names of C++, Rust and D functions
 */
#include <stdlib.h>
#include <string.h>

#include "user/demangle.h"

#ifdef KPROF_DEMANGLE
#include <libiberty/demangle.h>
#endif

/* Names come from untrusted files, and a short mangled name can expand to a huge one. */
#define MANGLED_MAX	2048
#define NAME_MAX_SHOWN	1024

void user_demangle(struct buf *out, const char *name)
{
	char *readable = NULL;

#ifdef KPROF_DEMANGLE
	if (*name == '_' && strnlen(name, MANGLED_MAX) < MANGLED_MAX)
		readable = cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
#endif
	if (readable)
		name = readable;
	buf_add(out, name, strnlen(name, NAME_MAX_SHOWN));
	free(readable);
}
