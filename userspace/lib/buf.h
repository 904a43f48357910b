/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buf.h - bytes that grow, and whole files read into them
 *
 * Running out of memory ends the program with a message: no caller could do
 * better. The bytes are always followed by a NUL that does not count.
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

/* Append what can be read from fd until its end; -1 and errno where that fails. */
int buf_read_fd(struct buf *b, int fd);
int buf_read_file(struct buf *b, const char *path);

/*
 * The line at *at (NULL: there is none), without its line feed, and *at behind it. False:
 * the end of the text. A NUL ends it.
 */
bool buf_next_line(const char **at, const char **line, size_t *len);

#endif /* KPROF_BUF_H */
