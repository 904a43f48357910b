// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_label.c - names as characters that XML can hold, and escaped output
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame.h"
#include "mem.h"

#define REPLACEMENT	0xfffd

static bool is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Decode one character; what is no UTF-8 is taken byte by byte. */
static uint32_t next_char(const char **text)
{
	static const uint32_t smallest[] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)*text;
	uint32_t c = *p++, len, i;

	*text += 1;
	if (c < 0x80)
		return c;
	if (c >= 0xc0 && c < 0xe0)
		len = 1;
	else if (c >= 0xe0 && c < 0xf0)
		len = 2;
	else if (c >= 0xf0 && c < 0xf8)
		len = 3;
	else
		return REPLACEMENT;
	c &= 0x3fu >> len;
	for (i = 0; i < len; i++) {
		if (!is_continuation(p[i]))
			return REPLACEMENT;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < smallest[len])
		return REPLACEMENT;
	*text += len;
	return c;
}

static uint32_t fit_for_xml(uint32_t c)
{
	if (c == '\t')
		return ' ';
	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000) ||
	    (c & 0xfffe) == 0xfffe || c > 0x10ffff)
		return REPLACEMENT;
	return c;
}

static char find_annotation(const struct flame_label *l)
{
	const uint32_t *end = l->c + l->nr;

	if (l->nr < ANNOTATION_LEN || end[-4] != '_' || end[-3] != '[' || end[-1] != ']' ||
	    end[-2] >= 0x80 || !strchr("kwij", (int)end[-2]))
		return 0;
	return (char)end[-2];
}

void flame_label_set(struct flame_label *label, const char *text)
{
	label->nr = 0;
	label->c = mem_grow(label->c, &label->room, strlen(text) + 1, sizeof(*label->c));
	while (*text)
		label->c[label->nr++] = fit_for_xml(next_char(&text));
	label->annotation = find_annotation(label);
}

static void write_utf8(uint32_t c, FILE *out)
{
	if (c < 0x80) {
		putc((int)c, out);
		return;
	}
	if (c < 0x800) {
		putc((int)(0xc0 | c >> 6), out);
	} else {
		if (c < 0x10000) {
			putc((int)(0xe0 | c >> 12), out);
		} else {
			putc((int)(0xf0 | c >> 18), out);
			putc((int)(0x80 | (c >> 12 & 0x3f)), out);
		}
		putc((int)(0x80 | (c >> 6 & 0x3f)), out);
	}
	putc((int)(0x80 | (c & 0x3f)), out);
}

void flame_label_write(const struct flame_label *label, size_t from, size_t to, bool ascii,
		       FILE *out)
{
	for (; from < to; from++) {
		uint32_t c = label->c[from];

		if (c == '&')
			fputs("&amp;", out);
		else if (c == '<')
			fputs("&lt;", out);
		else if (c == '>')
			fputs("&gt;", out);
		else if (c == '"')
			fputs("&quot;", out);
		else if (c >= 0x80 && ascii)
			fprintf(out, "&#x%" PRIx32 ";", c);
		else
			write_utf8(c, out);
	}
}

void flame_text_write(const char *text, bool ascii, FILE *out)
{
	struct flame_label label = { 0 };

	flame_label_set(&label, text);
	flame_label_write(&label, 0, label.nr, ascii, out);
	free(label.c);
}
