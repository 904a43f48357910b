// SPDX-License-Identifier: GPL-2.0-only
/*
 * readable.c - what the name of a C++, Rust or D function is when it is readable, by libiberty
 *
 * There are short names that keep its demanglers busy for years: demangle.c has limits for that.
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/readable.h"

#ifdef KPROF_DEMANGLE
#include <libiberty/demangle.h>
#endif

#define D_REFERENCES_MAX	8

#ifdef KPROF_DEMANGLE
/*
 * Names come from untrusted files, and one of 200 bytes can have 2^40 when it is readable. These
 * two demanglers have no memory that they would have to free, but for a name of Rust with other
 * letters than ASCII. They may tell late that a name is none, after some text.
 */
struct readable {
	struct buf text;
	jmp_buf enough;
};

static void take(const char *text, size_t len, void *arg)
{
	struct readable *r = arg;

	if (r->text.len + len > READABLE_MAX)
		longjmp(r->enough, 1);
	buf_add(&r->text, text, len);
}

/*
 * That of D takes memory for all of a name. A "Q" refers to what is before it, which is there twice
 * then; few names have more than some.
 */
static bool make_d_readable(struct readable *r, const char *name)
{
	int references = 0;
	const char *at;
	char *text;

	for (at = name; *at; at++)
		references += *at == 'Q';
	text = references <= D_REFERENCES_MAX ? dlang_demangle(name, 0) : NULL;
	if (!text)
		return false;
	if (strlen(text) <= READABLE_MAX)
		buf_add(&r->text, text, strlen(text));
	free(text);
	return true;
}

static bool make_readable(struct readable *r, const char *name)
{
	const int options = DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI;

	if (!strncmp(name, "_D", 2))
		return make_d_readable(r, name);
	if (setjmp(r->enough))
		return false;
	if (rust_demangle_callback(name, options, take, r))
		return true;
	r->text.len = 0;
	return cplus_demangle_v3_callback(name, options, take, r);
}
#endif

void readable_name(struct buf *out, const char *name)
{
#ifdef KPROF_DEMANGLE
	struct readable r = { .text = { 0 } };

	if (make_readable(&r, name) && r.text.len)
		name = r.text.data;
#endif
	buf_add(out, name, strlen(name));
#ifdef KPROF_DEMANGLE
	buf_free(&r.text);
#endif
}
