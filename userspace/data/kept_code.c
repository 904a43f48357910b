// SPDX-License-Identifier: GPL-2.0-only
/*
 * kept_code.c - the code of functions that a recording has kept
 */
#include <stdlib.h>
#include <string.h>

#include "data/kept_code.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* How many bytes are written as pairs of hexadecimal digits, up to what is none. */
static size_t bytes_in(const char *hex, size_t len)
{
	size_t i;

	for (i = 0; i + 1 < len && digit(hex[i]) >= 0 && digit(hex[i + 1]) >= 0; i += 2)
		;
	return i / 2;
}

/* Of two of the same address, the first one stays the first. */
static int by_start(const void *va, const void *vb)
{
	const struct kept_function *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->hex < b->hex ? -1 : a->hex > b->hex;
}

static void drop_repeated(struct kept_code *k)
{
	size_t i, nr = 0;

	for (i = 0; i < k->nr; i++)
		if (!nr || k->function[nr - 1].start != k->function[i].start)
			k->function[nr++] = k->function[i];
	k->nr = nr;
}

int kept_code_load(struct data *d, const char *name)
{
	const struct buf *sections = &d->code_sections;
	char why[DATA_WHY];
	struct data_section s;
	size_t at, nr = 1;

	for (at = 0; at < sections->len; at += sizeof(s) + s.size, nr++) {
		memcpy(&s, sections->data + at, sizeof(s));
		if (!data_section_text(&s, sections->data + at + sizeof(s), &d->text[DATA_BYTES],
				       why))
			return msg_error("%s: damaged: the code that it keeps, section %zu: %s",
					 name, nr, why);
	}
	buf_free(&d->code_sections);
	return EXIT_OK;
}

void kept_code_open(struct kept_code *k, const struct data *d)
{
	const char *at, *line, *p;
	struct kept_function f = { 0 };
	size_t len;

	at = d->text[DATA_BYTES].data;
	while (k->nr < DATA_LINES_MAX && buf_next_line(&at, &line, &len)) {
		p = line;
		if (!number_take(&p, NUMBER_HEX, &f.start) || *p++ != ' ')
			continue;
		f.hex = p;
		f.size = bytes_in(p, line + len - p);
		if (!f.size)
			continue;
		k->function = mem_grow(k->function, &k->room, k->nr + 1, sizeof(*k->function));
		k->function[k->nr++] = f;
	}
	if (k->nr == DATA_LINES_MAX)
		msg_warn("the code that the recording keeps: only that of %u million functions is read",
			 DATA_LINES_MAX / 1000000);
	if (k->nr)
		qsort(k->function, k->nr, sizeof(*k->function), by_start);
	drop_repeated(k);
}

void kept_code_close(struct kept_code *k)
{
	free(k->function);
	*k = (struct kept_code){ 0 };
}

const struct kept_function *kept_code_find(const struct kept_code *k, uint64_t addr)
{
	size_t low = 0, high = k->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (k->function[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || addr - k->function[low - 1].start >= k->function[low - 1].size)
		return NULL;
	return &k->function[low - 1];
}

void kept_code_add(const struct kept_function *f, size_t max, struct buf *bytes)
{
	size_t i;

	for (i = 0; i < f->size && i < max; i++) {
		const char byte = digit(f->hex[2 * i]) << 4 | digit(f->hex[2 * i + 1]);

		buf_add(bytes, &byte, 1);
	}
}
