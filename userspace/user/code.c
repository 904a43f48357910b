// SPDX-License-Identifier: GPL-2.0-only
/*
 * code.c - the functions of one file, by offset
 */
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "user/code.h"

/* Maximum size of a function without a size if no function follows closely. */
#define SIZE_MAX_GUESSED	(64 * 1024)

void user_functions_add_named(struct user_functions *f, uint64_t start, uint64_t size,
			      const char *name, int rank)
{
	f->item = mem_grow(f->item, &f->room, f->nr + 1, sizeof(*f->item));
	f->item[f->nr++] = (struct user_function) {
		.start = start, .size = size, .name = name, .rank = rank,
	};
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
