/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - gzip and zstd, as they come out of a file descriptor
 */
#ifndef KPROF_UNPACK_H
#define KPROF_UNPACK_H

#include <stddef.h>
#include <sys/types.h>

#define UNPACK_RATIO	1000		/* that it may grow by, */
#define UNPACK_SLACK	(16u << 20)	/* beyond bytes that it may always grow to */

struct unpacker;

/* By the first bytes, which belong to the stream; NULL: it is not compressed. */
struct unpacker *unpack_begin(const char *first, size_t len);

/*
 * Up to @len bytes of what is in there; 0: the end; -1 with *error set: what is wrong
 * with it. Reads from @fd what it takes.
 */
ssize_t unpack_read(struct unpacker *u, int fd, void *to, size_t len, const char **error);

void unpack_end(struct unpacker *u);

#endif /* KPROF_UNPACK_H */
