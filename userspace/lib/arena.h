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

/* A position, to cut back to. All zero: the beginning. */
struct arena_mark {
	struct arena_chunk *chunk;
	size_t used;
};

/* Copy @len bytes and add a NUL. */
char *arena_copy(struct arena *arena, const char *text, size_t len);

static inline struct arena_mark arena_mark(const struct arena *arena)
{
	return (struct arena_mark){ arena->chunk, arena->used };
}

/* Free what was copied after @mark; some memory is kept for what comes next. */
void arena_cut(struct arena *arena, struct arena_mark mark);
void arena_free(struct arena *arena);

#endif /* KPROF_ARENA_H */
