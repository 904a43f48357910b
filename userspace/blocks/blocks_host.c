// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_host.c - find the function that another one is inlined into
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/blocks.h"
#include "index/place.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "symbols/named.h"

#define SHOWN	8	/* hosts that a message names */

struct search {
	const struct symtab *symbols;
	const char *name;
	const struct symbol **host;	/* in order of addresses, each once */
	size_t nr, room;
	bool has_index;
};

/* Is that NAME, or MODULE:NAME? */
static bool is_named(const struct place_entry *e, const char *name)
{
	const char *colon = strchr(name, ':');

	if (!colon)
		return !strcmp(e->name, name);
	return !strcmp(e->name, colon + 1) && strlen(e->owner) == (size_t)(colon - name) &&
	       !memcmp(e->owner, name, colon - name);
}

static void note_host(const struct place_entry *e, void *arg)
{
	struct search *s = arg;
	const struct symbol *host;

	s->has_index = true;
	if (e->at_boot || !is_named(e, s->name))
		return;
	host = symtab_find(s->symbols, e->addr);
	/* Entries come in order of addresses, so those of a function are together. */
	if (!host || strstr(host->name, ".cold") || (s->nr && s->host[s->nr - 1] == host))
		return;
	s->host = mem_grow(s->host, &s->room, s->nr + 1, sizeof(*s->host));
	s->host[s->nr++] = host;
}

static bool has_symbol(const struct symtab *symbols, const char *name)
{
	size_t i;

	for (i = 0; i < symbols->nr; i++)
		if (named_is(&symbols->sym[i], name))
			return true;
	return false;
}

static int refuse(const struct search *s)
{
	struct buf list = { 0 };
	size_t i;
	int ret;

	for (i = 0; i < s->nr && i < SHOWN; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", s->host[i]->name);
	ret = msg_error("%s is inlined into several functions; give one of: %s%s", s->name,
			list.data, s->nr > SHOWN ? ", ..." : "");
	buf_free(&list);
	return ret;
}

int blocks_find_host(const struct data *names, const char *name, const struct symbol **host)
{
	struct search s = { .symbols = &names->symbols, .name = name };
	int ret = EXIT_OK;

	*host = NULL;
	if (strchr(name, '@') || has_symbol(s.symbols, name))
		return EXIT_OK;
	frames_each_entry(names, note_host, &s);
	if (s.nr > 1)
		ret = refuse(&s);
	else if (s.nr)
		*host = s.host[0];
	else if (!s.has_index)
		msg_warn("%s is the name of no symbol; if it is inlined, the index that "
			 "'kprof index' makes knows where", name);
	if (*host)
		msg_warn("%s is inlined into %s, whose blocks are counted", name, (*host)->name);
	free(s.host);
	return ret;
}
