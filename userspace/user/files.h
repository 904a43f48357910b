/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.h - the files that user stacks refer to, and the functions in them
 *
 * Where the module holds files that have samples (see record/pins.h), others are open only while
 * they are of use. Where it does not, each new file is opened at once, because it may be deleted
 * soon. Functions are looked up later, when all places are known.
 */
#ifndef KPROF_USER_FILES_H
#define KPROF_USER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/arena.h"
#include "lib/buf.h"
#include "user/file.h"

/* Zero-initialise. */
struct user_files {
	struct user_file *file;	/* by number; number 0 is not used */
	size_t nr, room;
	struct buf text;	/* file_table, as last read */
	struct arena names;
	int *held;		/* by number: descriptors of files whose lines are not known yet */
	size_t nr_held, held_room;
	int max_fd;		/* files have no larger descriptors; 0: not known yet */
	bool is_full;		/* not all could be opened */
	bool are_held;		/* the module holds those that have samples */
};

/*
 * Add the new lines of @text, and open their files if nobody holds them. Returns -1 if a line is
 * malformed.
 */
int user_files_update(struct user_files *files, const struct buf *text);

/*
 * A file of file_table is open already, whether or not its line is known yet. Takes over the
 * descriptor; -1: it could not be opened.
 */
void user_files_hold(struct user_files *files, uint32_t id, int fd);

/* The same of a file whose line is known, and which is open here for a while only. */
void user_files_lend(struct user_files *files, uint32_t id, int fd);

/* Open a file for a while, if it is not open. Returns its descriptor, or -1. */
int user_files_open(struct user_files *files, uint32_t id);

/*
 * Close it again, unless functions in it are wanted, or will be: its file system may have to go. If
 * nobody holds files, it stays open.
 */
void user_files_close(struct user_files *files, uint32_t id);

/*
 * Request the function at a place, whose file is opened for that. Returns false if its file is not
 * known yet.
 */
bool user_files_want(struct user_files *files, uint64_t place);

/* What is held of a process that has samples in code that it has generated; NULL if it has none. */
const struct generated *user_files_held(const struct user_files *files, uint64_t tgid);

/*
 * Append the functions of all requested places, as lines of DATA_CODE. From then on, the offsets of
 * a file are sorted, and each is there once.
 */
void user_files_name(struct user_files *files, struct buf *out);

/* Could a file not be opened? This is for those that functions were wanted of. */
bool user_files_is_gone(const struct user_files *files, uint32_t id);
void user_files_free(struct user_files *files);

#endif /* KPROF_USER_FILES_H */
