// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_place.c - the file of a place in a program or a library
 */
#include <string.h>

#include "lib/exit.h"
#include "lib/msg.h"
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

/* What the module, or this program, takes as the end of a path in a target; ".." is one, too. */
static bool is_syntax(char c)
{
	return (unsigned char)c < ' ' || strchr(" ,;#|()%\x7f", c);
}

bool user_place_is_path(const char *path)
{
	const char *at;

	for (at = path; *at; at++)
		if (is_syntax(*at) || (*at == '.' && at[1] == '.'))
			return false;
	return true;
}

int user_place_check(const char *path)
{
	if (user_place_is_path(path))
		return EXIT_OK;
	return msg_error("'%s': no target can have this path, as blanks, control characters, \"..\" "
			 "and any of ,;#|()%% are something else there; copy the file", path);
}
