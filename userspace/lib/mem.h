/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mem.h - memory that is there or ends the program with a message
 */
#ifndef KPROF_MEM_H
#define KPROF_MEM_H

#include <stddef.h>

/* Like calloc() and reallocarray(), but they do not return without memory. */
void *mem_zalloc(size_t nr, size_t size);
void *mem_realloc(void *old, size_t nr, size_t size);

/* Room for at least @need items in an array that has room for *@room of them. */
void *mem_grow(void *old, size_t *room, size_t need, size_t size);

#endif /* KPROF_MEM_H */
