// SPDX-License-Identifier: GPL-2.0-only
/*
 * data_meta.c - what a recording says of itself: values of lines "name: value"
 */
#include <stdlib.h>
#include <string.h>

#include "data/data.h"
#include "lib/number.h"

bool data_text_value(const struct buf *text, const char *name, struct buf *value)
{
	const char *at = text->data, *line, *sep;
	size_t len = strlen(name), line_len;
	bool found = false;

	while (buf_next_line(&at, &line, &line_len)) {
		sep = line + len;
		if (line_len < len + 2 || memcmp(line, name, len) ||
		    sep[0] != ':' || sep[1] != ' ')
			continue;
		value->len = 0;
		buf_add(value, sep + 2, line_len - len - 2);
		found = true;
	}
	return found;
}

char *data_meta(const struct data *d, const char *name)
{
	struct buf value = { 0 };

	buf_add(&value, "", 0);
	data_text_value(&d->text[DATA_META], name, &value);
	return value.data;
}

uint64_t data_text_number(const struct buf *text, const char *name)
{
	struct buf value = { 0 };
	uint64_t number = data_text_value(text, name, &value) ? number_or_0(value.data) : 0;

	buf_free(&value);
	return number;
}

uint64_t data_duration_ns(const struct data *d)
{
	uint64_t from = data_text_number(&d->text[DATA_META], "start_ns");
	uint64_t to = data_text_number(&d->text[DATA_META], "end_ns");

	return to > from ? to - from : 0;
}
