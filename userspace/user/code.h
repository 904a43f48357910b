/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * code.h - the functions of one user space file, by offset
 */
#ifndef KPROF_USER_CODE_H
#define KPROF_USER_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"

struct user_function {
	uint64_t start, size;
	const char *name;
	int rank;		/* if several are at one offset, the highest rank is shown */
	bool is_chosen;		/* it only says which of several functions a program gets (IFUNC) */
	size_t nr_others;	/* of functions that it replaced, see layers.h */
	const char *other;	/* the name of the one that it replaced; NULL: none, or several */
};

/* Zero-initialise. */
struct user_functions {
	struct user_function *item;
	size_t nr, room;
	struct arena names;
	bool is_stripped;	/* an ELF file without debug information, here or elsewhere */
};

void user_functions_add(struct user_functions *f, uint64_t start, uint64_t size, const char *name,
			int rank);

/* The same of a name that is in @f->names already: one that many have is kept once. */
void user_functions_add_named(struct user_functions *f, uint64_t start, uint64_t size,
			      const char *name, int rank);

/* Call it after the last one was added. A function without a size extends to the next one. */
void user_functions_sort(struct user_functions *f);

/* The function at an offset; NULL if there is none. Call user_functions_sort() before. */
const struct user_function *user_functions_find(const struct user_functions *f, uint64_t offset);
void user_functions_free(struct user_functions *f);

#endif /* KPROF_USER_CODE_H */
