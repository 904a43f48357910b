/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mem.h - memory allocation that exits with a message if memory runs out
 */
#ifndef KPROF_MEM_H
#define KPROF_MEM_H

#include <stddef.h>

/* Like calloc(), reallocarray() and strdup(), but never return NULL. */
void *mem_zalloc(size_t nr, size_t size);
void *mem_realloc(void *old, size_t nr, size_t size);
char *mem_strdup(const char *text);

/* Print that @nr times @size bytes cannot be allocated, and exit. */
void mem_exhausted(size_t nr, size_t size) __attribute__((noreturn));

void *mem_enlarge(void *old, size_t *room, size_t need, size_t size);

/* Make sure that an array, which has room for *@room items, has room for @need items. */
static inline void *mem_grow(void *old, size_t *room, size_t need, size_t size)
{
	return need <= *room ? old : mem_enlarge(old, room, need, size);
}

#endif /* KPROF_MEM_H */
