/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buf.h - a buffer that grows, and whole files read into it
 *
 * If memory runs out, the program ends with a message. The contents are always
 * followed by a NUL, which is not part of len.
 */
#ifndef KPROF_BUF_H
#define KPROF_BUF_H

#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data;
	size_t len, room;
};

void buf_add(struct buf *b, const void *data, size_t len);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_reserve(struct buf *b, size_t len);	/* room for len more bytes */
void buf_free(struct buf *b);

#define BUF_FILE_MAX	(256ul << 20)	/* of a file that is read as a whole */

/*
 * Append everything up to the end of the file. -1 with errno set on failure, which is EFBIG where
 * there is more than @max, or BUF_FILE_MAX: nobody's file takes all memory, nor does /dev/zero.
 */
int buf_read_max(struct buf *b, int fd, size_t max);
int buf_read_fd(struct buf *b, int fd);		/* of the module's tables: no limit */
int buf_read_file(struct buf *b, const char *path);

/*
 * Get the line at *at, without its line feed, and move *at to the next one. False at the end
 * of the text, which is a NUL, or where *at is NULL.
 */
bool buf_next_line(const char **at, const char **line, size_t *len);

#endif /* KPROF_BUF_H */
