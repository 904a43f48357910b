/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.h - the files that user stacks refer to, and the functions in them
 *
 * During sampling, each new file is opened at once, because it may be deleted soon. Functions are
 * looked up later, when all places are known.
 */
#ifndef KPROF_USER_FILES_H
#define KPROF_USER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/arena.h"
#include "lib/buf.h"

/* A line of the module's file_table. */
struct user_file {
	const char *kind;		/* "file", "vdso", "vdso32" or "anon" */
	const char *path;	/* as the process sees it, unescaped */
	uint64_t dev_major, dev_minor, ino, size;
	int64_t mtime_ns;
	uint64_t tgid;
	uid_t owner;		/* see user_functions_owner(), when the line was new */
	const char *build_id;	/* hexadecimal, or "-"; NULL in struct user_files */
	int fd;			/* -1: not a file, or it cannot be opened */
	uint64_t *offset;	/* offsets whose functions are wanted */
	size_t nr, room;
};

/* Zero-initialise. */
struct user_files {
	struct user_file *file;	/* by number; number 0 is not used */
	size_t nr, room;
	struct buf text;	/* file_table, as last read */
	struct arena names;
	int max_fd;		/* files have no larger descriptors */
	bool is_full;		/* not all could be opened */
};

/*
 * Parse a line of file_table, which is changed and has the texts of @file. Returns false if it is
 * malformed.
 */
bool user_file_parse(struct user_file *file, char *line, uint64_t *id);

/* Is what is open here the very file of that line, unchanged? */
bool user_file_is(int fd, const struct user_file *file);

/* Add the new lines of @text, and open their files. Returns -1 if a line is malformed. */
int user_files_update(struct user_files *files, const struct buf *text);

/* Request the function at a place. Returns false if its file is not known yet. */
bool user_files_want(struct user_files *files, uint64_t place);

/*
 * Append the functions of all requested places, as lines of DATA_CODE. From then on, the offsets of
 * a file are sorted, and each is there once.
 */
void user_files_name(struct user_files *files, struct buf *out);
void user_files_free(struct user_files *files);

#endif /* KPROF_USER_FILES_H */
