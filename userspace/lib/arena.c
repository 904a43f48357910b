// SPDX-License-Identifier: GPL-2.0-only
/*
 * arena.c - an allocator for many small strings that are freed together
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/mem.h"

#define CHUNK_SIZE	65536

struct arena_chunk {
	struct arena_chunk *older;
	size_t size;
	char bytes[];
};

static void add_chunk(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk = mem_realloc(NULL, 1, sizeof(*chunk) + size);

	chunk->older = arena->chunk;
	chunk->size = size;
	arena->chunk = chunk;
	arena->size = size;
	arena->used = 0;
}

char *arena_copy(struct arena *arena, const char *text, size_t len)
{
	char *copy;

	if (arena->size - arena->used < len + 1)
		add_chunk(arena, len + 1 > CHUNK_SIZE ? len + 1 : CHUNK_SIZE);
	copy = arena->chunk->bytes + arena->used;
	memcpy(copy, text, len);
	copy[len] = '\0';
	arena->used += len + 1;
	return copy;
}

void arena_cut(struct arena *arena, struct arena_mark mark)
{
	struct arena_chunk *chunk = arena->chunk, *older;

	if (!chunk)
		return;
	for (; chunk != mark.chunk && chunk->older; chunk = older) {
		older = chunk->older;
		free(chunk);
	}
	arena->chunk = chunk;
	arena->size = chunk->size;
	arena->used = chunk == mark.chunk ? mark.used : 0;
}

void arena_free(struct arena *arena)
{
	struct arena_chunk *chunk, *older;

	for (chunk = arena->chunk; chunk; chunk = older) {
		older = chunk->older;
		free(chunk);
	}
	memset(arena, 0, sizeof(*arena));
}
