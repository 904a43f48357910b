// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_context.c - take a context apart: KEY=VALUE,KEY=VALUE
 */
#include <string.h>

#include "explain/explain.h"

/* The end of a value: of "text", which may have escapes, of [4,8), or of a word. */
static const char *end_of_value(const char *p)
{
	if (*p == '"') {
		for (p++; *p && *p != '"'; p++)
			p += *p == '\\' && p[1];
		return *p ? p + 1 : p;
	}
	if (*p == '[' || *p == '(') {	/* "[4,8)", or "(-8,-4]" for negative numbers */
		p += strcspn(p, ")]");
		return *p ? p + 1 : p;
	}
	return p + strcspn(p, ",");
}

/* The end of a key's name: the first '=' outside of parentheses. */
static const char *end_of_key(const char *p)
{
	int depth = 0;

	for (; *p && (*p != '=' || depth); p++)
		depth += (*p == '(') - (*p == ')');
	return p;
}

int explain_take_apart(const char *context, struct explain_piece piece[EXPLAIN_MAX_KEYS])
{
	const char *p = context, *end;
	int nr = 0;

	while (*p) {
		end = end_of_key(p);
		if (!*end || nr == EXPLAIN_MAX_KEYS)
			return -1;
		piece[nr] = (struct explain_piece){
			.key = p, .key_len = end - p, .value = end + 1,
		};
		end = end_of_value(piece[nr].value);
		piece[nr].value_len = end - piece[nr].value;
		nr++;
		if (*end && *end != ',')
			return -1;
		p = *end ? end + 1 : end;
	}
	return nr ? nr : -1;
}
