// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups.c - the cgroup of a task, of "record --cgroups"
 *
 * With --cgroups, tasks of one name in two cgroups are two tasks of the recording. So a sample has
 * the cgroup of its task, and no room of its own for it.
 */
#include <string.h>

#include "data/cgroups.h"
#include "lib/escape.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"

int cgroups_parse(struct data *d)
{
	char *line = d->text[DATA_CGROUPS].data, *next;
	uint64_t id;

	for (; line && *line; line = next) {
		const char *at = line;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		else
			next = line + strlen(line);
		if (!number_take(&at, NUMBER_DECIMAL, &id) || *at != ' ' || !at[1])
			return -1;
		escape_undo_octal(line + (at + 1 - line));
		/* The module may have met a task after the last one that the recording has. */
		if (id < d->nr_tasks)
			d->task[id].cgroup = at + 1;
	}
	return 0;
}

int cgroups_check(const struct data *d, const char *name)
{
	return d->text[DATA_CGROUPS].len || !d->nr_tasks ? EXIT_OK :
	       msg_error("%s has no cgroups: 'kprof record --cgroups' records them", name);
}

const char *cgroups_name(const struct data *d, uint32_t task)
{
	return task < d->nr_tasks && d->task[task].cgroup ? d->task[task].cgroup :
	       CGROUPS_NONE;
}
