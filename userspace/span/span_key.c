// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_key.c - a key of a row, as people read it
 */
#include "span/span.h"

bool span_key(const struct lat_row *row, int nr, struct buf *out)
{
	const char *at = row->context, *text;
	struct lat_key key;

	do {
		if (!lat_next_key(&at, &key))
			return false;
	} while (nr--);
	text = lat_key_text(row->target, &key);
	if (text)
		buf_printf(out, "%s", text);
	else if (key.len >= 2 && *key.value == '"')
		buf_printf(out, "%.*s", (int)key.len - 2, key.value + 1);
	else if (key.len)
		buf_printf(out, "%.*s", (int)key.len, key.value);
	else	/* a row without keys, such as [row table full] */
		buf_printf(out, "%.*s", (int)key.name_len, key.name);
	return true;
}
