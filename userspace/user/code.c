// SPDX-License-Identifier: GPL-2.0-only
/*
 * code.c - the functions of one file, by offset, or those of a perf-PID.map
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "user/code.h"
#include "user/fetch.h"

/* A line of 6 bytes takes some 100 of memory, and anybody can write such a file. */
#define MAP_FUNCTIONS_MAX	(4u << 20)

/* Maximum size of a function without a size if no function follows closely. */
#define SIZE_MAX_GUESSED	(64 * 1024)

void user_functions_add_named(struct user_functions *f, uint64_t start, uint64_t size,
			      const char *name, int rank)
{
	f->item = mem_grow(f->item, &f->room, f->nr + 1, sizeof(*f->item));
	f->item[f->nr++] = (struct user_function) { start, size, name, rank, false };
}

void user_functions_add(struct user_functions *f, uint64_t start, uint64_t size, const char *name,
			int rank)
{
	name = arena_copy(&f->names, name, strlen(name));
	user_functions_add_named(f, start, size, name, rank);
}

static int by_start(const void *va, const void *vb)
{
	const struct user_function *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

void user_functions_sort(struct user_functions *f)
{
	size_t i, kept = 0;

	if (!f->nr)
		return;
	qsort(f->item, f->nr, sizeof(*f->item), by_start);
	for (i = 0; i < f->nr; i++)
		if (!kept || f->item[kept - 1].start != f->item[i].start)
			f->item[kept++] = f->item[i];
		else if (!f->item[kept - 1].size)
			f->item[kept - 1].size = f->item[i].size;
	f->nr = kept;
	for (i = 0; i < f->nr; i++) {
		struct user_function *one = &f->item[i];

		if (one->size)
			continue;
		one->size = i + 1 < f->nr ? one[1].start - one->start : SIZE_MAX_GUESSED;
		if (one->size > SIZE_MAX_GUESSED)
			one->size = SIZE_MAX_GUESSED;
	}
}

const struct user_function *user_functions_find(const struct user_functions *f, uint64_t offset)
{
	size_t low = 0, high = f->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->item[mid].start <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || offset - f->item[low - 1].start >= f->item[low - 1].size)
		return NULL;
	return &f->item[low - 1];
}

void user_functions_free(struct user_functions *f)
{
	free(f->item);
	arena_free(&f->names);
	*f = (struct user_functions) { 0 };
}

/* --- perf-PID.map --- */

static void read_line(struct user_functions *f, const char *line, size_t len)
{
	const char *at = line, *end = line + len;
	uint64_t start, size;
	struct buf name = { 0 };

	if (!number_take(&at, NUMBER_HEX, &start) || *at++ != ' ' ||
	    !number_take(&at, NUMBER_HEX, &size) || *at++ != ' ' || at >= end)
		return;
	buf_add(&name, at, end - at);
	user_functions_add(f, start, size, name.data, 0);
	buf_free(&name);
}

void user_functions_add_map(struct user_functions *f, const struct buf *text)
{
	const char *at, *line;
	size_t len;

	for (at = text->data; f->nr < MAP_FUNCTIONS_MAX && buf_next_line(&at, &line, &len);)
		read_line(f, line, len);
}

uid_t user_functions_owner(uint64_t pid)
{
	struct stat process;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%" PRIu64, pid);
	return stat(path, &process) ? geteuid() : process.st_uid;
}

/* Anybody can create files in /tmp. */
int user_functions_open(const char *path, uid_t owner, struct stat *st)
{
	struct fetch fetch = { .path = path, .no_link = true };
	int fd = fetch_open(&fetch);

	*st = fetch.st;
	if (fd >= 0 && st->st_uid && st->st_uid != owner) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void user_functions_read_map(struct user_functions *f, uint64_t pid, uid_t owner)
{
	struct buf text = { 0 };
	struct stat st;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu64 ".map", pid);
	fd = user_functions_open(path, owner, &st);
	if (fd < 0)
		return;
	if (!buf_read_max(&text, fd, BUF_FILE_MAX))
		user_functions_add_map(f, &text);
	close(fd);
	buf_free(&text);
}
