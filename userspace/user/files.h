/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.h - the files that user stacks lead through, and the functions in them
 *
 * While samples are taken, each file that comes up is opened at once: it may be gone soon. What
 * is where in it is looked up when all places are known.
 */
#ifndef KPROF_USER_FILES_H
#define KPROF_USER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/buf.h"

/* A line of the module's file_table. */
struct user_file {
	const char *kind;		/* "file", "vdso", "vdso32" or "anon" */
	const char *path;	/* as the process has it, unescaped */
	uint64_t dev_major, dev_minor, ino, size;
	int64_t mtime_ns;
	uint64_t tgid;
	int fd;			/* -1: it is no file, or not to be had */
	uint64_t *offset;	/* of places whose functions are wanted */
	size_t nr, room;
};

/* Zero-initialise. */
struct user_files {
	struct user_file *file;	/* by number; 0 is none */
	size_t nr, room;
	struct buf text;	/* file_table, as it was read last */
	struct arena names;
};

/* Take the lines of @text that are new, and open their files. -1 where one is no such line. */
int user_files_update(struct user_files *files, const struct buf *text);

/* The function at a place will be wanted. False where its file is not known yet. */
bool user_files_want(struct user_files *files, uint64_t place);

/* The functions of all places that are wanted, as lines of DATA_CODE. */
void user_files_name(struct user_files *files, struct buf *out);
void user_files_free(struct user_files *files);

#endif /* KPROF_USER_FILES_H */
