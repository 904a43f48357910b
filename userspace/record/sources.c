// SPDX-License-Identifier: GPL-2.0-only
/*
 * sources.c - the module's sources, without those of earlier sessions
 */
#include <stdbool.h>
#include <string.h>

#include "record/kmod.h"
#include "record/sources.h"

static bool has_line(const struct buf *lines, const char *line, size_t len)
{
	const char *at = lines->data, *other;
	size_t other_len;

	while (buf_next_line(&at, &other, &other_len))
		if (other_len == len && !memcmp(other, line, len))
			return true;
	return false;
}

static bool is_removed(const char *line, size_t len)
{
	static const char kind[] = " removed";
	const size_t end = sizeof(kind) - 1;

	return len > end && !memcmp(line + len - end, kind, end);
}

/* Append those that are removed, or if @removed is not NULL, those that are not among these. */
static int add_lines(struct buf *to, const struct buf *removed)
{
	struct buf text = { 0 };
	const char *at, *line;
	size_t len;
	int ret = kmod_read("sources", &text);

	at = text.data;
	while (!ret && buf_next_line(&at, &line, &len))
		if (removed ? !has_line(removed, line, len) : is_removed(line, len))
			buf_printf(to, "%.*s\n", (int)len, line);
	buf_free(&text);
	return ret;
}

int sources_removed(struct buf *removed)
{
	return add_lines(removed, NULL);
}

int sources_read(struct buf *sources, const struct buf *removed)
{
	sources->len = 0;
	buf_add(sources, "", 0);
	return add_lines(sources, removed);
}
