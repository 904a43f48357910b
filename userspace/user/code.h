/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * code.h - functions of one file, by offset
 */
#ifndef KPROF_USER_CODE_H
#define KPROF_USER_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"

struct buf;

struct user_function {
	uint64_t start, size;
	const char *name;
	int rank;		/* of several at one place, the highest is shown */
};

/* Zero-initialise. */
struct user_functions {
	struct user_function *item;
	size_t nr, room;
	struct arena names;
};

void user_functions_add(struct user_functions *f, uint64_t start, uint64_t size, const char *name,
			int rank);

/* After the last one was added: those without a size reach to the next one. */
void user_functions_sort(struct user_functions *f);

/* The function at an offset, NULL if there is none; after user_functions_sort(). */
const struct user_function *user_functions_find(const struct user_functions *f, uint64_t offset);
void user_functions_free(struct user_functions *f);

/*
 * A process may write /tmp/perf-PID.map for code that it makes itself: lines "START SIZE NAME",
 * the numbers hexadecimal. Here an offset is an address.
 */
void user_functions_read_map(struct user_functions *f, uint64_t pid);
void user_functions_add_map(struct user_functions *f, const struct buf *text);	/* its text */

#endif /* KPROF_USER_CODE_H */
