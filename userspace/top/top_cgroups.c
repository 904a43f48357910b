// SPDX-License-Identifier: GPL-2.0-only
/*
 * top_cgroups.c - cgroups in the stacks of an interval, and as rows
 *
 * The time of a cgroup is that of its tasks; with the cgroups below it, that of its part of the
 * tree, as systemd-cgtop has it. So slices, which have no tasks, have rows, too.
 */
#include <string.h>

#include "data/cgroups.h"
#include "lib/mem.h"
#include "top/top_cgroups.h"

/* What the module says of a cgroup for which it had no room. */
#define FULL	"[cgroup table full]"

const char *top_cgroup_path(const char *frame)
{
	static const char prefix[] = "cgroup:";

	if (!strncmp(frame, prefix, strlen(prefix)))
		return frame + strlen(prefix);
	return strcmp(frame, FULL) ? NULL : frame;
}

bool top_cgroup_is_below(const char *path, const char *top)
{
	size_t len = strlen(top);

	if (strncmp(path, top, len))
		return false;
	return !path[len] || path[len] == '/' || (*top == '/' && len == 1);
}

static struct top_row *row_of(struct top_rows *rows, const char *path, size_t len)
{
	uint32_t id = strtab_add(&rows->paths, path, len);

	if (id == rows->nr) {
		rows->row = mem_grow(rows->row, &rows->room, rows->nr + 1, sizeof(*rows->row));
		rows->row[rows->nr++] = (struct top_row){ .name = rows->paths.name[id].text };
	}
	return &rows->row[id];
}

/* Of a path that was cut, or is none, nothing is known but itself. */
static void add_path(struct top_rows *rows, const char *path, folded_count self)
{
	size_t len = strlen(path), i;

	row_of(rows, path, len)->self += self;
	row_of(rows, path, len)->total += self;
	if (*path != '/' || len == 1)
		return;
	row_of(rows, "/", 1)->total += self;
	for (i = 1; i < len; i++)
		if (path[i] == '/')
			row_of(rows, path, i)->total += self;
}

void top_cgroup_rows(struct top_rows *rows, const struct strtab *names, const folded_count *self,
		     folded_count without)
{
	uint32_t i;

	for (i = 0; i < names->nr; i++)
		if (self[i])
			add_path(rows, top_cgroup_path(names->name[i].text), self[i]);
	if (without)
		add_path(rows, CGROUPS_NONE, without);
}
