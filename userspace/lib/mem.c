// SPDX-License-Identifier: GPL-2.0-only
/*
 * mem.c - memory allocation that exits with a message if memory runs out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/exit.h"
#include "lib/mem.h"

/* Not msg_error(): that allocates memory. */
void mem_exhausted(size_t nr, size_t size)
{
	fflush(stdout);
	fprintf(stderr, "kprof: out of memory: cannot get %zu times %zu bytes\n", nr, size);
	exit(EXIT_ERROR);
}

static void *there(void *p, size_t nr, size_t size)
{
	if (!p)
		mem_exhausted(nr, size);
	return p;
}

void *mem_zalloc(size_t nr, size_t size)
{
	return there(calloc(nr ? nr : 1, size), nr, size);
}

void *mem_realloc(void *old, size_t nr, size_t size)
{
	return there(reallocarray(old, nr ? nr : 1, size), nr, size);
}

char *mem_strdup(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(mem_realloc(NULL, size, 1), text, size);
}

void *mem_enlarge(void *old, size_t *room, size_t need, size_t size)
{
	size_t nr = *room ? *room : 16;

	while (nr < need)
		nr *= 2;
	*room = nr;
	return mem_realloc(old, nr, size);
}
