// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_key.c - the value of a key of a row, in readable form
 */
#include <string.h>

#include "record/user_names.h"
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

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A character as the module writes it between quotes: \" and \\ are so, other ones as \x1b. */
static char take_char(const char **at, const char *end)
{
	char c = *(*at)++;

	if (c != '\\' || *at == end)
		return c;
	c = *(*at)++;
	if (c != 'x' || end - *at < 2 || hex_digit((*at)[0]) < 0 || hex_digit((*at)[1]) < 0)
		return c;
	c = hex_digit((*at)[0]) << 4 | hex_digit((*at)[1]);
	*at += 2;
	return c;
}

static void add_unquoted(const char *text, size_t len, struct buf *out)
{
	const char *end = text + len;
	char c;

	while (text < end) {
		c = take_char(&text, end);
		/* Names are found by the text that file_table has for the same path. */
		if ((unsigned char)c < ' ' || c == 0x7f)
			c = '?';
		buf_add(out, &c, 1);
	}
}

void span_user_stack(const struct lat_row *row, const char *name, struct user_names *names,
		     struct buf *out)
{
	const char *at = row->context;
	struct buf stack = { 0 };
	struct lat_key key;

	while (lat_next_key(&at, &key)) {
		if (key.name_len != strlen(name) || memcmp(key.name, name, key.name_len))
			continue;
		if (key.len >= 2 && *key.value == '"')
			add_unquoted(key.value + 1, key.len - 2, &stack);
		else if (key.len > 1)	/* "[stack table full]"; "-" is no stack */
			buf_add(&stack, key.value, key.len);
	}
	user_names_add(names, stack.data, stack.len, out);
	buf_free(&stack);
}
