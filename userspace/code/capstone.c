// SPDX-License-Identifier: GPL-2.0-only
/*
 * capstone.c - load capstone when it is needed
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "code/capstone.h"

#define AS_STRING_(x)	#x
#define AS_STRING(x)	AS_STRING_(x)
#define LIBRARY		"libcapstone.so." AS_STRING(CS_API_MAJOR)	/* as the header's */

/* A pointer to an object is no pointer to a function in C; POSIX lets its bytes be one. */
static bool find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof(found));
	return found;
}

static bool load(struct capstone *c)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	return library && find(library, "cs_open", &c->cs_open) &&
	       find(library, "cs_option", &c->cs_option) &&
	       find(library, "cs_malloc", &c->cs_malloc) &&
	       find(library, "cs_disasm_iter", &c->cs_disasm_iter) &&
	       find(library, "cs_free", &c->cs_free) && find(library, "cs_close", &c->cs_close);
}

const struct capstone *capstone_load(void)
{
	static struct capstone capstone;
	static enum { NEVER_TRIED, LOADED, MISSING } state;

	if (state == NEVER_TRIED)
		state = load(&capstone) ? LOADED : MISSING;
	return state == LOADED ? &capstone : NULL;
}

const char *capstone_missing(void)
{
	return "there is no " LIBRARY ", which decodes instructions";
}
