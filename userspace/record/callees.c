// SPDX-License-Identifier: GPL-2.0-only
/*
 * callees.c - the functions that a function of the running kernel calls, as targets
 */
#include <stdlib.h>

#include "code/calls.h"
#include "code/running.h"
#include "lib/buf.h"
#include "lib/mem.h"
#include "record/callees.h"
#include "symbols/functions.h"
#include "symbols/named.h"

#define CODE_MAX	(64u << 10)

struct search {
	struct callees *callees;
	struct functions functions;
	const struct symbol *caller;
	const struct symbol *found[CALLEES_MAX];
};

static const struct symbol *find(const struct functions *f, const char *target)
{
	const struct symbol *found = NULL;
	size_t i;

	for (i = 0; i < f->symbols.nr; i++) {
		if (!named_is(&f->symbols.sym[i], target))
			continue;
		if (found)
			return NULL;
		found = &f->symbols.sym[i];
	}
	return found;
}

static void note(uint64_t target, void *arg)
{
	struct search *s = arg;
	const struct symbol *sym = symtab_find(&s->functions.symbols, target);
	int i;

	if (!sym || sym->start != target || sym == s->caller || s->callees->nr == CALLEES_MAX ||
	    function_obstacle(&s->functions, sym))
		return;
	for (i = 0; i < s->callees->nr; i++)
		if (s->found[i] == sym)
			return;
	s->found[s->callees->nr++] = sym;
}

static void search(struct search *s, const char *function)
{
	struct code_running kernel = { 0 };
	uint8_t *bytes;
	char error[256];

	s->caller = find(&s->functions, function);
	if (!s->caller || !s->caller->size || s->caller->size > CODE_MAX)
		return;
	bytes = mem_zalloc(1, s->caller->size);
	if (!code_running_read(&kernel, s->caller->start, bytes, s->caller->size, error))
		code_each_call(bytes, s->caller->size, s->caller->start, note, s);
	code_running_close(&kernel);
	free(bytes);
}

void callees_find(struct callees *c, const char *function)
{
	struct search s = { .callees = c };
	int i;

	*c = (struct callees){ .nr = 0 };
	if (!functions_load(&s.functions, FUNCTIONS_KALLSYMS)) {
		functions_load_blacklist(&s.functions, FUNCTIONS_BLACKLIST);
		search(&s, function);
	}
	for (i = 0; i < c->nr; i++) {
		struct buf name = { 0 };

		if (s.found[i]->module)
			buf_printf(&name, "%s:", s.found[i]->module);
		buf_printf(&name, "%s", s.found[i]->name);
		c->name[i] = name.data;
	}
	functions_free(&s.functions);
}

void callees_free(struct callees *c)
{
	int i;

	for (i = 0; i < c->nr; i++)
		free(c->name[i]);
}
