// SPDX-License-Identifier: GPL-2.0-only
/*
 * named.c - the one function that a user names
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "lib/exit.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "symbols/functions.h"
#include "symbols/named.h"

bool named_is(const struct symbol *sym, const char *name)
{
	const char *colon = strchr(name, ':');
	size_t len = colon ? (size_t)(colon - name) : 0;

	/* A function of C++ has colons of its own. */
	if (!colon || !strcmp(sym->name, name))
		return !strcmp(sym->name, name);
	return sym->module && strlen(sym->module) == len && !strncmp(sym->module, name, len) &&
	       !strcmp(sym->name, colon + 1);
}

static int refuse_several(const struct symtab *symbols, const char *name)
{
	struct buf places = { 0 };
	size_t i;

	for (i = 0; i < symbols->nr; i++)
		if (named_is(&symbols->sym[i], name))
			buf_printf(&places, "%s%s@0x%" PRIx64, places.len ? ", " : "", name,
				   symbols->sym[i].start);
	msg_error("several functions are named %s; give one of: %s", name, places.data);
	buf_free(&places);
	return EXIT_ERROR;
}

static int refuse_none(const struct symtab *symbols, const char *name, const char *where)
{
	const struct functions f = { .symbols = *symbols };
	struct buf names = { 0 };

	functions_nearest(&f, name, &names);
	msg_error("there is no function %s%s%s%s", name, where, names.len ? "; close to it: " : "",
		  names.len ? names.data : "");
	buf_free(&names);
	return EXIT_ERROR;
}

static int find(const struct symtab *symbols, const char *name, const char *at, const char *where,
		const struct symbol **found)
{
	uint64_t addr = 0;
	size_t i;

	*found = NULL;
	if (*at && (strncmp(at, "@0x", 3) || !number_parse(at + 3, NUMBER_HEX, &addr)))
		return msg_usage("'%s%s': behind @ comes an address, as in %s@0x1234", name, at,
				 name);
	for (i = 0; i < symbols->nr; i++) {
		const struct symbol *sym = &symbols->sym[i];

		if (!named_is(sym, name) || (*at && sym->start != addr))
			continue;
		if (*found && sym->start != (*found)->start)
			return refuse_several(symbols, name);
		*found = sym;
	}
	if (*found)
		return EXIT_OK;
	return *at ? msg_error("no function %s is at %s%s", name, at + 1, where) :
		     refuse_none(symbols, name, where);
}

int named_find(const struct symtab *symbols, const char *name, const char *where,
	       const struct symbol **found)
{
	const char *at = strchrnul(name, '@');
	struct buf bare = { 0 };
	int ret;

	buf_printf(&bare, "%.*s", (int)(at - name), name);
	ret = find(symbols, bare.data, at, where, found);
	buf_free(&bare);
	return ret;
}
