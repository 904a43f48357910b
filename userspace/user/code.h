/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * code.h - the functions of one user space file, by offset
 */
#ifndef KPROF_USER_CODE_H
#define KPROF_USER_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "lib/arena.h"

struct buf;

struct user_function {
	uint64_t start, size;
	const char *name;
	int rank;		/* if several are at one offset, the highest rank is shown */
	bool is_chosen;		/* it only says which of several functions a program gets (IFUNC) */
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

/*
 * Whose files are trusted in what they say about the code of a process, apart from root's: its
 * owner's; if it has ended, and its number is any other process's to be, the caller's.
 */
uid_t user_functions_owner(uint64_t pid);

/*
 * Open a file that a process has written about its own code: no link, and of that owner or root;
 * @st is of it. What is opened may be a copy: see fetch.h. Returns -1 if it is not there, or not to
 * be trusted.
 */
int user_functions_open(const char *path, uid_t owner, struct stat *st);

/*
 * A process can write /tmp/perf-PID.map for code that it generates (JIT): lines "START SIZE NAME"
 * with hexadecimal numbers. For such code, offsets are addresses.
 */
void user_functions_read_map(struct user_functions *f, uint64_t pid, uid_t owner);
void user_functions_add_map(struct user_functions *f, const struct buf *text);	/* parses it */

#endif /* KPROF_USER_CODE_H */
