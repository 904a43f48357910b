// SPDX-License-Identifier: GPL-2.0-only
/*
 * buf.c - a growable byte buffer, and functions that read a whole file into one
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"

void buf_enlarge(struct buf *b, size_t len)
{
	size_t room = b->room ? b->room : 256;

	if (len >= SIZE_MAX / 4 || b->len >= SIZE_MAX / 4)
		mem_exhausted(len, 1);
	while (room - b->len <= len)
		room *= 2;
	b->data = mem_realloc(b->data, room, 1);
	b->room = room;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	buf_reserve(b, len);
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	size_t room = b->data ? b->room - b->len : 0;
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(room ? b->data + b->len : NULL, room, fmt, ap);
	if (len < 0)
		mem_exhausted(INT_MAX, 1);	/* it would be longer than that */
	if ((size_t)len >= room) {
		buf_reserve(b, len);
		vsnprintf(b->data + b->len, (size_t)len + 1, fmt, again);
	}
	va_end(again);
	b->len += len;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

void buf_add_field(struct buf *b, const char *text)
{
	size_t start = b->len;

	buf_add(b, text, strlen(text));
	for (; start < b->len; start++)
		if (b->data[start] == '\n' || b->data[start] == '\t')
			b->data[start] = '?';
}

int buf_read_max(struct buf *b, int fd, size_t max)
{
	ssize_t got;

	do {
		buf_reserve(b, 8 * 1024);
		got = read(fd, b->data + b->len, b->room - b->len - 1);
		if (got > 0)
			b->len += got;
		if (b->len > max) {
			got = -1;
			errno = EFBIG;
			break;
		}
	} while (got > 0 || (got < 0 && errno == EINTR));
	b->data[b->len] = '\0';
	return got < 0 ? -1 : 0;
}

int buf_read_fd(struct buf *b, int fd)
{
	return buf_read_max(b, fd, SIZE_MAX);
}

int buf_read_file(struct buf *b, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret, saved;

	if (fd < 0)
		return -1;
	ret = buf_read_max(b, fd, BUF_FILE_MAX);
	saved = errno;
	close(fd);
	errno = saved;
	return ret;
}

bool buf_next_line(const char **at, const char **line, size_t *len)
{
	const char *end;

	if (!*at || !**at)
		return false;
	end = strchrnul(*at, '\n');
	*line = *at;
	*len = end - *at;
	*at = *end ? end + 1 : end;
	return true;
}
