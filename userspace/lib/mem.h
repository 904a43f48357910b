/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mem.h - allocation that ends the program when memory runs out
 */
#ifndef KPROF_MEM_H
#define KPROF_MEM_H

#include <stddef.h>

/* Like calloc() and reallocarray(), but never return NULL. */
void *mem_zalloc(size_t nr, size_t size);
void *mem_realloc(void *old, size_t nr, size_t size);

/* Say that so much cannot be had, and end the program. */
void mem_exhausted(size_t nr, size_t size) __attribute__((noreturn));

void *mem_enlarge(void *old, size_t *room, size_t need, size_t size);

/* Grow an array that has room for *@room items to hold at least @need. */
static inline void *mem_grow(void *old, size_t *room, size_t need, size_t size)
{
	return need <= *room ? old : mem_enlarge(old, room, need, size);
}

#endif /* KPROF_MEM_H */
