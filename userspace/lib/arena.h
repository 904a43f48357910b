/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.h - an allocator for many small strings that are freed together
 */
#ifndef KPROF_ARENA_H
#define KPROF_ARENA_H

#include <stddef.h>

/* Zero-initialise. */
struct arena {
	struct arena_chunk *chunk;	/* the newest, linked to the older ones */
	size_t used, size;		/* bytes, in the newest */
};

/* Copy @len bytes and add a NUL. */
char *arena_copy(struct arena *arena, const char *text, size_t len);
void arena_free(struct arena *arena);

#endif /* KPROF_ARENA_H */
