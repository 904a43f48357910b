// SPDX-License-Identifier: GPL-2.0-only
/*
 * quote.c - words of a command for the shell
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "lib/quote.h"

static bool is_plain(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_-+./,:@%=", *text))
			return false;
	return true;
}

void quote_add(struct buf *out, const char *text)
{
	buf_add(out, "'", 1);
	for (; *text; text++) {
		if (*text == '\'')
			buf_printf(out, "'\\''");
		else
			buf_add(out, text, 1);
	}
	buf_add(out, "'", 1);
}

void quote_add_word(struct buf *out, const char *text)
{
	if (is_plain(text))
		buf_add(out, text, strlen(text));
	else
		quote_add(out, text);
}
