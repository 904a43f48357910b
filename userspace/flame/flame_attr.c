// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_attr.c - attributes for the frames of some functions, from a file
 *
 * A line is "NAME<TAB>ATTR=VALUE<TAB>ATTR=VALUE...", as for flamegraph.pl --nameattr,
 * with the attributes listed below. href makes the frame a link.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flame/flame.h"
#include "lib/input.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"

static const char *const names[FLAME_NR_ATTRS] = { "id", "class", "title", "href", "target" };

static int compare(const void *a, const void *b)
{
	const struct flame_attr *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int find_attr(const char *name)
{
	int i;

	for (i = 0; i < FLAME_NR_ATTRS; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/* Split a line in place. Returns false if it is malformed. */
static bool parse_line(struct flame_attr *attr, char *line)
{
	char *word, *value;
	int which;

	attr->name = strsep(&line, "\t");
	if (!line)
		return false;
	while ((word = strsep(&line, "\t"))) {
		value = strchr(word, '=');
		if (!value)
			return false;
		*value++ = '\0';
		which = find_attr(word);
		if (which < 0)
			return false;
		attr->value[which] = value;
	}
	return true;
}

int flame_attrs_read(struct flame_attrs *attrs, const char *path)
{
	struct buf text = { 0 };
	char *line, *rest, error[256];
	int nr = 0;

	if (input_load(path, &text, error)) {
		buf_free(&text);
		return msg_error("--nameattr: '%s': %s", path, error);
	}
	attrs->text = text.data;
	for (rest = text.data; (line = strsep(&rest, "\n")); ) {
		nr++;
		if (!*line)
			continue;
		attrs->attr = mem_grow(attrs->attr, &attrs->room, attrs->nr + 1,
				       sizeof(*attrs->attr));
		attrs->attr[attrs->nr] = (struct flame_attr) { 0 };
		if (!parse_line(&attrs->attr[attrs->nr], line))
			return msg_error("--nameattr: %s:%d: not NAME, tab, ATTRIBUTE=VALUE with one "
					 "of id class title href target", path, nr);
		attrs->nr++;
	}
	if (attrs->nr)
		qsort(attrs->attr, attrs->nr, sizeof(*attrs->attr), compare);
	return EXIT_OK;
}

const struct flame_attr *flame_attrs_find(const struct flame_attrs *attrs, const char *name)
{
	const struct flame_attr key = { .name = name };

	return attrs->nr ? bsearch(&key, attrs->attr, attrs->nr, sizeof(key), compare) : NULL;
}

void flame_attrs_free(struct flame_attrs *attrs)
{
	free(attrs->attr);
	free(attrs->text);
	*attrs = (struct flame_attrs) { 0 };
}
