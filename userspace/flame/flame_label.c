// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_label.c - decode names into characters that are valid in XML, and write them escaped
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame/flame.h"
#include "lib/escape.h"
#include "lib/mem.h"

#define REPLACEMENT	0xfffd

static uint32_t fit_for_xml(uint32_t c)
{
	if (c == '\t')
		return ' ';
	return escape_is_plain(c) ? c : REPLACEMENT;
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
	const char *end = text + strlen(text);

	label->nr = 0;
	label->c = mem_grow(label->c, &label->room, end - text + 1, sizeof(*label->c));
	while (text < end) {
		if (*text >= ' ' && *text < 0x7f)
			label->c[label->nr++] = (uint32_t)*text++;
		else
			label->c[label->nr++] = fit_for_xml(escape_next(&text, end));
	}
	label->annotation = find_annotation(label);
}

static void write_utf8(uint32_t c, FILE *out)
{
	if (c < 0x80) {
		putc_unlocked((int)c, out);
		return;
	}
	if (c < 0x800) {
		putc_unlocked((int)(0xc0 | c >> 6), out);
	} else {
		if (c < 0x10000) {
			putc_unlocked((int)(0xe0 | c >> 12), out);
		} else {
			putc_unlocked((int)(0xf0 | c >> 18), out);
			putc_unlocked((int)(0x80 | (c >> 12 & 0x3f)), out);
		}
		putc_unlocked((int)(0x80 | (c >> 6 & 0x3f)), out);
	}
	putc_unlocked((int)(0x80 | (c & 0x3f)), out);
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
