// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_missed.c - explain the rows of time in which a CPU could not be sampled
 */
#include <string.h>

#include "data/missed.h"
#include "report/report_print.h"

static bool shows_row(const struct report_output *o, const struct report_table *t,
		      const char *name)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->entry[i].self && report_shows(o, t, i) && !strcmp(t->entry[i].text[0], name))
			return true;
	return false;
}

void report_missed(const struct report_output *o, const struct report_table *t)
{
	const struct missed_cause *c;

	if (!report_keys_are(&t->keys, REPORT_SYM))
		return;
	for (c = missed_causes; c->name; c++)
		if (shows_row(o, t, c->name))
			fprintf(o->out, "# %s: %s\n", c->name, c->meaning);
}
