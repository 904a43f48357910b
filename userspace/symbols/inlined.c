// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlined.c - what was inlined where into user code, and its source lines, as a recording has them
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/number.h"
#include "symbols/inlined.h"

static bool parse_line(struct inlined *in, char *line)
{
	struct inlined_frame frame;
	const char *at = line;
	char *file = strchr(line, '\t'), *name = file ? strchr(file + 1, '\t') : NULL;
	uint64_t number;

	if (!name || !number_take(&at, NUMBER_HEX, &frame.place) || *at++ != ' ' ||
	    !number_take(&at, NUMBER_DECIMAL, &number) || at != file || number > UINT32_MAX)
		return false;
	*name = '\0';
	frame.file = file[1] ? file + 1 : NULL;
	frame.name = name + 1;
	frame.line = number;
	in->frame = mem_grow(in->frame, &in->room, in->nr + 1, sizeof(*in->frame));
	in->frame[in->nr++] = frame;
	return true;
}

/* Those of one place keep their order in the text. */
static int by_place(const void *va, const void *vb)
{
	const struct inlined_frame *a = va, *b = vb;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* What a recording has is in order already. */
static void sort(struct inlined *in)
{
	size_t i;

	for (i = 1; i < in->nr; i++)
		if (by_place(&in->frame[i - 1], &in->frame[i]) > 0)
			break;
	if (i < in->nr)
		qsort(in->frame, in->nr, sizeof(*in->frame), by_place);
}

/* A stack has many places, each of which may be in many functions: more of them have no end. */
static bool is_deep(const struct inlined *in)
{
	size_t i;

	for (i = INLINED_DEPTH + 1; i < in->nr; i++)
		if (in->frame[i].place == in->frame[i - INLINED_DEPTH - 1].place)
			return true;
	return false;
}

int inlined_parse(struct inlined *in, struct buf *text)
{
	char *line, *next;

	in->text = text->data;
	*text = (struct buf){ 0 };
	for (line = in->text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!parse_line(in, line))
			return -1;
	}
	sort(in);
	return is_deep(in) ? -1 : 0;
}

void inlined_print(struct buf *out, const struct inlined_frame *frame)
{
	buf_printf(out, "%" PRIx64 " %" PRIu32 "\t", frame->place, frame->line);
	buf_add_field(out, frame->file ? frame->file : "");
	buf_add(out, "\t", 1);
	buf_add_field(out, frame->name);
	buf_add(out, "\n", 1);
}

const struct inlined_frame *inlined_find(const struct inlined *in, uint64_t place, size_t *nr)
{
	size_t low = 0, high = in->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (in->frame[mid].place < place)
			low = mid + 1;
		else
			high = mid;
	}
	for (*nr = 0; low + *nr < in->nr && in->frame[low + *nr].place == place; ++*nr)
		;
	return *nr ? &in->frame[low] : NULL;
}

void inlined_free(struct inlined *in)
{
	free(in->frame);
	free(in->text);
	*in = (struct inlined){ 0 };
}
