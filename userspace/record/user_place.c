// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_place.c - the file of a place in a program or a library
 */
#include <string.h>

#include "record/user_place.h"
#include "user/library.h"

static bool is_kernel_module(const char *name)
{
	size_t len = strlen(name), line_len;
	struct buf text = { 0 };
	const char *at, *line;
	bool found = false;

	if (!buf_read_file(&text, "/proc/modules"))
		for (at = text.data; at && !found && buf_next_line(&at, &line, &line_len); )
			found = line_len > len && !strncmp(line, name, len) && line[len] == ' ';
	buf_free(&text);
	return found;
}

bool user_place_find(const char *place, struct buf *path, const char **function)
{
	const char *slash = strrchr(place, '/'), *colon = strchr(slash ? slash : place, ':');
	struct buf cache = { 0 }, name = { 0 };
	bool found = true;

	if (!colon || colon == place || !colon[1])
		return false;
	*function = colon + 1;
	buf_printf(&name, "%.*s", (int)(colon - place), place);
	if (slash)
		buf_printf(path, "%s", name.data);
	else if (is_kernel_module(name.data) || buf_read_file(&cache, LIBRARY_CACHE))
		found = false;
	else
		found = library_find(&cache, name.data, path);
	buf_free(&cache);
	buf_free(&name);
	return found;
}
