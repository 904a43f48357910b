/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - a file that user stacks refer to: its line in file_table, and opening it
 */
#ifndef KPROF_USER_FILE_H
#define KPROF_USER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "user/generated.h"

/* A line of the module's file_table. */
struct user_file {
	const char *kind;		/* "file", "far", "vdso", "vdso32", "anon" or "data" */
	const char *path;	/* as the process sees it, unescaped */
	uint64_t dev_major, dev_minor, ino, size;
	int64_t mtime_ns;
	uint64_t tgid;		/* with KPROF_PID_OUTSIDE: of the initial PID namespace */
	struct generated process;	/* of "anon" and "data", when the line was new */
	const char *build_id;	/* hexadecimal, or "-" */
	int fd;			/* -1: not open */
	bool is_tried;		/* it was to be opened; if it is not, it could not be */
	bool has_no_room;	/* it could, but too many are open */
	bool is_silent;		/* it could not, as its file system does not answer */
	const char *why;	/* why it could not; NULL: it is not there any more */
	bool is_held;		/* it has samples, says the module */
	bool is_named;		/* user_files_name() is done with it */
	bool is_stripped;	/* no debug information was found for it */
	uint64_t *offset;	/* offsets whose functions are wanted */
	size_t nr, room;
	uint64_t *missing;	/* while they are named: offsets at which no function is known */
	size_t nr_missing;
};

/*
 * Parse a line of file_table, which is changed and has the texts of @file. Returns false if it is
 * malformed.
 */
bool user_file_parse(struct user_file *file, char *line, uint64_t *id);

/* Is this a line of a file, rather than of the vDSO, or of code without a file? */
bool user_file_is_file(const struct user_file *file);

/* Is the process that has mapped it in /proc by this id? */
bool user_file_is_in_proc(const struct user_file *file);

/* Code that a process has generated, of which it alone can tell: places are addresses. */
bool user_file_is_generated(const struct user_file *file);

/* Why it could not be opened; NULL: it is not there any more. */
const char *user_file_why(const struct user_file *file);

/* Is what stat() has returned of the very file of that line, unchanged? */
bool user_file_matches(const struct stat *st, const struct user_file *file);

/* Has it the device and the inode of that line? */
bool user_file_is_inode(const struct stat *st, const struct user_file *file);

/*
 * Open the very file that was mapped, of whatever kind. Returns a descriptor, which may be that of
 * a copy; or -1, where @is_silent and @why of @file tell why, if it is still there.
 */
int user_file_open(struct user_file *file);

#endif /* KPROF_USER_FILE_H */
