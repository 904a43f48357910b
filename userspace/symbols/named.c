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

/* What follows "MODULE:" of a name, if that is the module of the symbol; else NULL. */
static const char *behind_module(const struct symbol *sym, const char *name)
{
	size_t len = strcspn(name, ":");
	const char *module = sym->module, *base = module ? strrchr(module, '/') : NULL;

	/* Of the path of a file, its last component is sufficient. */
	if (base && !memchr(name, '/', len))
		module = base + 1;
	return name[len] && module && strlen(module) == len && !strncmp(module, name, len) ?
	       name + len + 1 : NULL;
}

bool named_is(const struct symbol *sym, const char *name)
{
	const char *behind;

	/* A function of C++ has colons of its own. */
	if (!strcmp(sym->name, name))
		return true;
	behind = behind_module(sym, name);
	return behind && !strcmp(sym->name, behind);
}

/* What follows the bracket that closes the one at @p; the end of the text if none does. */
static const char *skip_brackets(const char *p)
{
	int depth = 0;

	do {
		/* "->" and "=>" are no brackets. */
		if (strchr("(<[{", *p))
			depth++;
		else if (strchr(")]}", *p) || (*p == '>' && p[-1] != '-' && p[-1] != '='))
			depth--;
		p++;
	} while (*p && depth);
	return p;
}

/* Does a name end here, but for parameters of a template and of the function? */
static bool is_end(const char *p)
{
	const char *from = p;

	if (*p == ':' && p[1] == ':' && p[2] == '<')	/* Rust */
		p += 2;
	if (*p == '<')
		p = skip_brackets(p);
	if (*p != '(')
		return p > from && !*p;
	p = skip_brackets(p);
	return !*p || *p == ' ';
}

bool named_fits(const char *full, const char *name)
{
	size_t len = strlen(name);
	const char *p;

	/* The name begins the text, or comes after the type that a template returns. */
	for (p = full; *p; p++) {
		if ((p == full || p[-1] == ' ') && !strncmp(p, name, len) && is_end(p + len))
			return true;
		if (*p == '(' && p != full && p[-1] != ' ')
			return false;
		if (strchr("(<[{", *p))
			p = skip_brackets(p) - 1;
	}
	return false;
}

bool named_is_bare(const struct symbol *sym, const char *name)
{
	const char *behind = behind_module(sym, name);

	return (*name && named_fits(sym->name, name)) ||
	       (behind && *behind && named_fits(sym->name, behind));
}

/* One of several, by what tells it from the others. */
static void add_place(struct buf *places, const struct symbol *sym, const char *name, bool bare)
{
	if (places->len)
		buf_printf(places, ", ");
	if (!bare)
		buf_printf(places, "%s@0x%" PRIx64, name, sym->start);
	else if (sym->module)
		buf_printf(places, "'%s:%s'", sym->module, sym->name);
	else
		buf_printf(places, "'%s'", sym->name);
}

static int refuse_several(const struct symtab *symbols, const char *name, bool bare)
{
	struct buf places = { 0 };
	size_t i;

	for (i = 0; i < symbols->nr; i++)
		if ((bare ? named_is_bare : named_is)(&symbols->sym[i], name))
			add_place(&places, &symbols->sym[i], name, bare);
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

/* @addr: of the function, or NULL. Leaves *@found NULL if there is none. */
static int find_by(const struct symtab *symbols, const char *name, const uint64_t *addr, bool bare,
		   const struct symbol **found)
{
	size_t i;

	for (i = 0; i < symbols->nr; i++) {
		const struct symbol *sym = &symbols->sym[i];

		if (!(bare ? named_is_bare : named_is)(sym, name) || (addr && sym->start != *addr))
			continue;
		if (*found && sym->start != (*found)->start)
			return refuse_several(symbols, name, bare);
		*found = sym;
	}
	return EXIT_OK;
}

static int find(const struct symtab *symbols, const char *name, const char *at, const char *where,
		const struct symbol **found)
{
	uint64_t addr = 0;
	int ret;

	*found = NULL;
	if (*at && (strncmp(at, "@0x", 3) || !number_parse(at + 3, NUMBER_HEX, &addr)))
		return msg_usage("'%s%s': behind @ comes an address, as in %s@0x1234", name, at,
				 name);
	ret = find_by(symbols, name, *at ? &addr : NULL, false, found);
	if (!ret && !*found)
		ret = find_by(symbols, name, *at ? &addr : NULL, true, found);
	if (ret || *found)
		return ret;
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
