// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_marker.c - finds the markers (USDT) that targets name
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/exit.h"
#include "lib/file_id.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/plural.h"
#include "record/user_marker.h"
#include "user/elf.h"

bool user_marker_is(const char *name)
{
	const char *colon = strchr(name, ':');

	return colon && colon > name && colon[1] && colon[1] != ':';
}

void user_marker_places_add(struct marker_places *places, const struct user_marker *marker)
{
	if (places->nr < MARKER_PLACES)
		places->item[places->nr++] = marker;
}

const struct user_markers *user_markers_of(struct marker_files *files, const char *path,
					   const char **real)
{
	char *name = realpath(path, NULL);
	const char *why;
	struct stat st;
	size_t i;
	int fd;

	for (i = 0; name && i < files->nr; i++) {
		if (strcmp(files->file[i].path, name))
			continue;
		free(name);
		*real = files->file[i].path;
		return &files->file[i].markers;
	}
	if (!name) {
		msg_error("'%s': %s", path, strerror(errno));
		return NULL;
	}
	fd = input_regular_fd(name, &why);
	if (fd < 0 || i == MARKER_FILES) {
		if (fd < 0)
			msg_error("'%s': %s", path, why);
		else
			msg_error("'%s': markers of more than %d files in one target", path,
				  MARKER_FILES);
		if (fd >= 0)
			close(fd);
		free(name);
		return NULL;
	}
	files->file[files->nr++].path = name;
	if (!fstat(fd, &st))
		file_id_add(&files->file[i].id, &st);
	user_markers_read(&files->file[i].markers, fd);
	close(fd);
	*real = name;
	return &files->file[i].markers;
}

const char *user_markers_id(const struct marker_files *files, const char *real)
{
	size_t i;

	for (i = 0; i < files->nr; i++)
		if (!strcmp(files->file[i].path, real))
			return files->file[i].id.data;
	return NULL;
}

void user_marker_files_free(struct marker_files *files)
{
	while (files->nr) {
		free(files->file[--files->nr].path);
		buf_free(&files->file[files->nr].id);
		user_markers_free(&files->file[files->nr].markers);
	}
}

static int refuse(const struct user_markers *markers, const char *path, const char *name)
{
	if (!user_elf_is_possible())
		return msg_error("'%s': this kprof was built without libdw, and knows no names of "
				 "markers; give %s:0xOFFSET()", path, path);
	if (!markers->nr)
		return msg_error("'%s': %s has no markers (no section .note.stapsdt)", name, path);
	return msg_error("'%s': no such marker in %s, which has %zu; 'kprof list %s:*:*' lists them",
			 name, path, markers->nr, path);
}

/* Take "@NUMBER" from behind the name. 0: all places. */
static bool take_number(const char *name, size_t *len, uint64_t *number)
{
	const char *at = strchr(name, '@');

	*number = 0;
	*len = strcspn(name, "@");
	return !at || (number_parse(at + 1, NUMBER_DECIMAL, number) && *number);
}

static int refuse_many(const char *path, const char *name, int len, uint64_t nr)
{
	return msg_error("'%s': the marker is in %llu place%s of %s; give one of at most %d as "
			 "%.*s@1", name, (unsigned long long)nr, plural(nr), path,
			 (int)(nr < MARKER_PLACES ? nr : MARKER_PLACES), len, name);
}

int user_marker_find(const struct user_markers *markers, const char *path, const char *name,
		     struct marker_places *places)
{
	size_t i, len, provider = strcspn(name, ":");
	uint64_t number, nr = 0;

	places->nr = 0;
	if (!take_number(name, &len, &number) || strpbrk(name, "+%"))
		return msg_usage("'%s': only @1 or another number of a place may follow a marker",
				 name);
	for (i = 0; i < markers->nr; i++) {
		const struct user_marker *one = &markers->item[i];

		if (strlen(one->provider) != provider || strncmp(one->provider, name, provider) ||
		    strlen(one->name) != len - provider - 1 ||
		    strncmp(one->name, name + provider + 1, len - provider - 1))
			continue;
		nr++;
		if (!number || number == nr)
			user_marker_places_add(places, one);
	}
	if (!nr)
		return refuse(markers, path, name);
	if (number > nr || (!number && nr > MARKER_PLACES))
		return refuse_many(path, name, len, nr);
	return EXIT_OK;
}

bool user_marker_is_same(const struct user_marker *one, const struct user_marker *other)
{
	return !strcmp(one->provider, other->provider) && !strcmp(one->name, other->name);
}

bool user_marker_is_plain(const struct user_marker *marker)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

	return *marker->provider && !marker->provider[strspn(marker->provider, letters)] &&
	       *marker->name && !marker->name[strspn(marker->name, letters)];
}

int user_marker_all(const struct user_markers *markers, size_t first, const char *path,
		    const char *name, struct marker_places *places)
{
	size_t i = first;

	for (places->nr = 0; i < markers->nr; i++) {
		if (!user_marker_is_same(&markers->item[first], &markers->item[i]))
			break;
		user_marker_places_add(places, &markers->item[i]);
	}
	if (i - first > MARKER_PLACES)
		return refuse_many(path, name, strlen(name), i - first);
	return EXIT_OK;
}
