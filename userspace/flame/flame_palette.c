// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_palette.c - a palette.map: a file that keeps a colour for each name
 *
 * Lines are "NAME->COLOUR", sorted, as in flamegraph.pl --cp.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flame/flame.h"
#include "lib/buf.h"
#include "lib/input.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"

struct flame_palette_entry {
	const char *name;
	const char *color;
};

static int compare(const void *a, const void *b)
{
	const struct flame_palette_entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

const char *flame_palette_add(struct flame_palette_map *map, const char *name, const char *color)
{
	struct flame_palette_entry *entry;

	map->entry = mem_grow(map->entry, &map->room, map->nr + 1, sizeof(*map->entry));
	entry = &map->entry[map->nr++];
	entry->name = arena_copy(&map->texts, name, strlen(name));
	entry->color = arena_copy(&map->texts, color, strlen(color));
	return entry->color;
}

const char *flame_palette_find(const struct flame_palette_map *map, const char *name)
{
	const struct flame_palette_entry key = { .name = name }, *found;

	found = map->nr_sorted ? bsearch(&key, map->entry, map->nr_sorted, sizeof(key), compare)
			       : NULL;
	return found ? found->color : NULL;
}

/* A colour is written to the SVG unescaped: accept only "rgb(1,2,3)" and "#123456". */
static bool is_color(const char *color)
{
	return *color && strspn(color, "0123456789abcdefABCDEFrg(),#") == strlen(color);
}

/* A map for later: only what is there can be told from the output, whatever that is called. */
static int create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return msg_error("--cp: cannot write '%s': %s", path, strerror(errno));
	close(fd);
	input_note(path);
	return EXIT_OK;
}

int flame_palette_read(struct flame_palette_map *map, const char *path)
{
	struct buf text = { 0 };
	char *line, *arrow, *rest;
	int nr = 0;

	if (buf_read_file(&text, path))
		return errno == ENOENT ? create(path) :
			msg_error("--cp: cannot read '%s': %s", path, strerror(errno));
	input_note(path);
	for (rest = text.data; (line = strsep(&rest, "\n")); ) {
		nr++;
		if (!*line)
			continue;
		arrow = strstr(line, "->");
		while (arrow && strstr(arrow + 1, "->"))
			arrow = strstr(arrow + 1, "->");	/* part of the name: "operator->" */
		if (!arrow || !is_color(arrow + 2)) {
			buf_free(&text);
			return msg_error("--cp: %s:%d: not NAME->COLOUR", path, nr);
		}
		*arrow = '\0';
		flame_palette_add(map, line, arrow + 2);
	}
	buf_free(&text);
	if (map->nr)
		qsort(map->entry, map->nr, sizeof(*map->entry), compare);
	map->nr_sorted = map->nr;
	return EXIT_OK;
}

int flame_palette_write(struct flame_palette_map *map, const char *path)
{
	FILE *out = fopen(path, "we");
	bool failed = !out;
	size_t i;

	if (map->nr)
		qsort(map->entry, map->nr, sizeof(*map->entry), compare);
	for (i = 0; out && i < map->nr; i++)
		fprintf(out, "%s->%s\n", map->entry[i].name, map->entry[i].color);
	if (out) {
		failed = ferror(out);
		failed |= fclose(out) != 0;
	}
	if (failed)
		return msg_error("--cp: cannot write '%s': %s", path, strerror(errno));
	return EXIT_OK;
}

void flame_palette_free(struct flame_palette_map *map)
{
	free(map->entry);
	arena_free(&map->texts);
	*map = (struct flame_palette_map) { 0 };
}
