/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - decompress gzip and zstd streams that are read from a file descriptor
 */
#ifndef KPROF_UNPACK_H
#define KPROF_UNPACK_H

#include <stddef.h>
#include <sys/types.h>

/* Output may not exceed UNPACK_SLACK + UNPACK_RATIO * bytes of input. */
#define UNPACK_RATIO	1000
#define UNPACK_SLACK	(16u << 20)

struct unpacker;

/*
 * Recognise the format by the first bytes, which belong to the stream. Returns NULL if it is not
 * compressed.
 */
struct unpacker *unpack_begin(const char *first, size_t len);

/*
 * Decompress up to @len bytes, reading from @fd as needed. Returns 0 at the end, or -1 with
 * *error set to what is wrong.
 */
ssize_t unpack_read(struct unpacker *u, int fd, void *to, size_t len, const char **error);

void unpack_end(struct unpacker *u);

#endif /* KPROF_UNPACK_H */
