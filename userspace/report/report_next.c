// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_next.c - suggest what to measure next: the functions with the most self time
 */
#include <stdlib.h>
#include <string.h>

#include "report/report_print.h"

#define NEXT_MAX	3
#define NEXT_LEAST	5.0	/* per cent of the total */

/* A kernel function whose name is not an address, not in brackets, and not a .cold part. */
static bool can_be_watched(const struct report_entry *e)
{
	const char *name = e->text[0];

	return !e->is_user && *name != '[' && strncmp(name, "0x", 2) && !strstr(name, ".cold") &&
	       !strpbrk(name, " \t'\"[");
}

static bool has_targets(const struct data *d)
{
	uint32_t id;

	for (id = 1; id < d->nr_sources; id++)
		if (d->source[id].is_target)
			return true;
	return false;
}

/* The words were joined by spaces: if one may have needed quotes, the text cannot be pasted. */
static bool is_plain(const char *command)
{
	return !strpbrk(command, "\"'`$&|;<>(){}[]*?~#!\\\n\t");
}

void report_next(const struct report_output *o, const struct report_table *t)
{
	char *command = data_meta(o->data, "command");
	size_t i, nr = 0;

	if (report_keys_are(&t->keys, REPORT_SYM) && !has_targets(o->data)) {
		for (i = 0; i < t->nr && nr < NEXT_MAX; i++) {
			const struct report_entry *e = &t->entry[i];

			if (!can_be_watched(e) || report_percent(e->self, t->total) < NEXT_LEAST)
				continue;
			fprintf(o->out, "%s %s%s%s", nr++ ? "" : "# next, how long these take: "
				"kprof lat --skip-missing", e->module, *e->module ? ":" : "",
				e->text[0]);
		}
		if (nr && *command && is_plain(command))
			fprintf(o->out, " -- %s\n", command);
		else if (nr)
			fprintf(o->out, "%s\n", *command ? " -- COMMAND..." : " -a -d 10");
	}
	free(command);
}
