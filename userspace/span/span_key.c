// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_key.c - the value of a key of a row, in readable form
 */
#include <string.h>

#include "span/span.h"

static void add_value(const struct lat_row *row, const struct lat_key *key, struct buf *out)
{
	const char *text = lat_key_text(row->target, key);

	if (text)
		buf_printf(out, "%s", text);
	else if (key->len >= 2 && *key->value == '"')
		buf_printf(out, "%.*s", (int)key->len - 2, key->value + 1);
	else
		buf_printf(out, "%.*s", (int)key->len, key->value);
}

bool span_key(const struct lat_row *row, const char *name, struct buf *out)
{
	const char *at = row->context;
	struct lat_key key;

	while (lat_next_key(&at, &key)) {
		if (key.name_len != strlen(name) || memcmp(key.name, name, key.name_len))
			continue;
		add_value(row, &key, out);
		return true;
	}
	return false;
}

bool span_key_at(const struct lat_row *row, int nr, struct buf *out)
{
	const char *at = row->context;
	struct lat_key key;

	do {
		if (!lat_next_key(&at, &key))
			return false;
	} while (nr--);
	add_value(row, &key, out);
	return true;
}
