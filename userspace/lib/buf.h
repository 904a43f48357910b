/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buf.h - a growable byte buffer, and functions that read a whole file into one
 *
 * If memory runs out, the program prints a message and exits. Once a buffer has
 * contents, a NUL follows them; len does not count it.
 */
#ifndef KPROF_BUF_H
#define KPROF_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data;
	size_t len, room;
};

void buf_add(struct buf *b, const void *data, size_t len);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void buf_enlarge(struct buf *b, size_t len);	/* private: see buf_reserve() */
void buf_free(struct buf *b);

/* Append a field of a line whose fields tabs part: tabs and line feeds in it become "?". */
void buf_add_field(struct buf *b, const char *text);

/* Room for @len more bytes, and a NUL. */
static inline void buf_reserve(struct buf *b, size_t len)
{
	if (!b->data || b->room - b->len <= len)
		buf_enlarge(b, len);
}

#define BUF_FILE_MAX	(256ul << 20)	/* largest file that buf_read_file() reads */

/*
 * Append everything up to the end of the file. Returns -1 with errno set on failure. errno is
 * EFBIG if the file has more than @max bytes (buf_read_file(): BUF_FILE_MAX), so neither a huge
 * file nor /dev/zero can use up all memory.
 */
int buf_read_max(struct buf *b, int fd, size_t max);
int buf_read_fd(struct buf *b, int fd);		/* for the module's tables: no limit */
int buf_read_file(struct buf *b, const char *path);

/*
 * Get the line at *at, without its line feed, and move *at to the next line. Returns false at
 * the terminating NUL, or if *at is NULL.
 */
bool buf_next_line(const char **at, const char **line, size_t *len);

#endif /* KPROF_BUF_H */
