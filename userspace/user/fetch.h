/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fetch.h - opens files of other users in a process of its own, which may be lost
 *
 * What is on a path, and in a file, may be up to a server that never answers: one on the network,
 * or a process of any user (FUSE). Whoever opens or reads such a file may wait without end, and not
 * even a signal ends that. So another process opens it, and hands it over. If that process does not
 * answer in time, it is left where it is, and the next file is opened by a new one.
 */
#ifndef KPROF_USER_FETCH_H
#define KPROF_USER_FETCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define FETCH_MS	2000		/* to wait for an answer, or for the next part of a copy */
#define FETCH_ALL_MS	6000		/* for all parts of a copy */
#define FETCH_COPY_MAX	(256ul << 20)	/* bytes of a file that is copied */
#define FETCH_LOST	16		/* processes that may be lost: then no more is opened */

/**
 * struct fetch - a file to open, and what was opened
 * @path:	its path
 * @below:	the path is one below the root directory of this process, and no link leads out of
 *		that; 0: it is one of this process
 * @no_link:	its last part must be no symbolic link
 * @no_copy:	a file of which there would be a copy is not opened
 * @is_directory: it is a directory, and what is returned is for *at() calls and /proc/self/fd only
 * @is_known:	it must be of that @size and @mtime_ns; other files are not opened
 * @is_near:	and if it has that device and inode, nobody else decides how long it takes to read
 * @ino:	see @is_known, as the following
 * @dev_major:	as returned by stat(), like all of these
 * @dev_minor:	and this
 * @size:	in bytes
 * @mtime_ns:	in nanoseconds
 * @st:		result: what stat() says of it
 * @why:	result: why it could not be opened
 * @is_silent:	result: it could not be opened as nobody has answered
 */
struct fetch {
	const char *path;
	uint64_t below;
	bool no_link, no_copy, is_directory, is_known, is_near;
	uint64_t ino, dev_major, dev_minor, size;
	int64_t mtime_ns;
	struct stat st;
	const char *why;
	bool is_silent;
};

/*
 * Open a regular file for reading, or a directory. Unless nobody else decides how long it takes to
 * read a file, what is returned is a copy in memory, which belongs to the owner of the file.
 * Returns its descriptor; or -1, with errno and @why.
 */
int fetch_open(struct fetch *fetch);

/* The same for a path alone. */
int fetch_path(const char *path, const char **why);

#endif /* KPROF_USER_FETCH_H */
