/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.h - many small texts that are freed together
 */
#ifndef KPROF_ARENA_H
#define KPROF_ARENA_H

#include <stddef.h>

/* Starts as all zero. */
struct arena {
	struct arena_chunk *chunk;	/* the newest; it leads to the older ones */
	size_t used, size;		/* bytes of the newest */
};

/* A copy of @len bytes with a NUL behind it. */
char *arena_copy(struct arena *arena, const char *text, size_t len);
void arena_free(struct arena *arena);

#endif /* KPROF_ARENA_H */
