// SPDX-License-Identifier: GPL-2.0-only
/*
 * demangle.c - names as their authors wrote them: C++, Rust, D
 */
#include <stdlib.h>
#include <string.h>

#include "user/demangle.h"

#ifdef KPROF_DEMANGLE
#include <libiberty/demangle.h>
#endif

/* Anybody can put a name into a file: a short one can stand for one without an end. */
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
