// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_missed.c - explain the rows of time in which a CPU could not be sampled
 */
#include <string.h>

#include "data/missed.h"
#include "report/report_print.h"

static bool has_row(const struct report_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->entry[i].self && !strcmp(t->entry[i].text[0], name))
			return true;
	return false;
}

void report_missed(const struct report_output *o, const struct report_table *t)
{
	const struct missed_cause *c;

	if (!report_keys_are(&t->keys, REPORT_SYM))
		return;
	for (c = missed_causes; c->name; c++)
		if (has_row(t, c->name))
			fprintf(o->out, "# %s: %s\n", c->name, c->meaning);
}
