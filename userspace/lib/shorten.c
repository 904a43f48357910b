// SPDX-License-Identifier: GPL-2.0-only
/*
 * shorten.c - show a long name by its beginning and its end
 */
#include <stdbool.h>
#include <string.h>

#include "lib/shorten.h"

/* Is it inside a character of UTF-8? */
static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

void shorten_add(struct buf *out, const char *text, size_t len)
{
	static const char gap[] = "...";
	size_t half = (SHORTEN_MAX - strlen(gap)) / 2, head = half, tail = len - half;

	if (len <= SHORTEN_MAX) {
		buf_add(out, text, len);
		return;
	}
	while (head && is_inside(text[head]))
		head--;
	while (tail < len && is_inside(text[tail]))
		tail++;
	buf_add(out, text, head);
	buf_add(out, gap, strlen(gap));
	buf_add(out, text + tail, len - tail);
}
