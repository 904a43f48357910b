// SPDX-License-Identifier: GPL-2.0-only
/*
 * holes.c - a command with holes, and the values that fill them
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/holes.h"
#include "lib/mem.h"
#include "lib/number.h"

/* A pair of braces in an argument, that is a hole, or looks like one. */
struct brace {
	const char *name, *values;	/* values: NULL if there are none */
	size_t name_len, len;		/* len: of the values */
	const char *end;		/* behind it */
	bool is_text;			/* "{{NAME:VALUES}" */
};

static bool is_name(char c, bool is_first)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (!is_first && c >= '0' && c <= '9');
}

/* Does a hole begin here, behind the brace at @at - 1? */
static bool take_brace(const char *at, struct brace *b)
{
	*b = (struct brace){ .name = at };
	while (is_name(*at, !b->name_len)) {
		at++;
		b->name_len++;
	}
	if (!b->name_len || (*at != ':' && *at != '}'))
		return false;
	if (*at == ':') {
		b->values = ++at;
		b->len = strcspn(at, "{}");
		at += b->len;
	}
	b->end = at + 1;
	return *at == '}';
}

/* The next brace at or behind *at, which is moved to it; false at the end. */
static bool next_brace(const char **at, struct brace *b)
{
	const char *p = *at;

	for (; (p = strchr(p, '{')) != NULL; p++) {
		bool is_text = p[1] == '{';

		if (p > *at && p[-1] == '$')
			continue;
		if (!take_brace(p + 1 + is_text, b) || (is_text && !b->values))
			continue;
		b->is_text = is_text;
		*at = p;
		return true;
	}
	return false;
}

/* --- parsing --- */

static const struct hole *find_hole(const struct holes *h, const struct brace *b)
{
	uint32_t i;

	for (i = 0; i < h->nr; i++)
		if (strlen(h->hole[i].name) == b->name_len &&
		    !memcmp(h->hole[i].name, b->name, b->name_len))
			return &h->hole[i];
	return NULL;
}

static int bad(const struct hole *hole, const char *values, const char *why, char error[256])
{
	snprintf(error, 256, "hole {%.64s:%.64s}: %s", hole->name, values, why);
	return -1;
}

/* "FIRST..LAST" */
static int take_range(struct hole *hole, char *values, char *dots, char error[256])
{
	int64_t first, last;

	*dots = '\0';
	if (!number_within(values, INT64_MIN, INT64_MAX, &first) ||
	    !number_within(dots + 2, INT64_MIN, INT64_MAX, &last)) {
		*dots = '.';
		return bad(hole, values, "FIRST..LAST are whole numbers of up to 63 bits", error);
	}
	*dots = '.';
	if (first >= last)
		return bad(hole, values, "the first number is not below the last one", error);
	hole->first = first;
	hole->last = last;
	return 0;
}

/* "TEXT,TEXT,...", which is split. */
static int take_texts(struct hole *hole, char *values, char error[256])
{
	char *rest = values, *text;
	size_t nr = 0, room = 0;

	if (!strchr(values, ','))
		return bad(hole, values, "one value is none to try: FIRST..LAST, or A,B,...; "
			   "{{ is for a { that begins no hole", error);
	while ((text = strsep(&rest, ",")) != NULL) {
		hole->text = mem_grow(hole->text, &room, nr + 1, sizeof(*hole->text));
		hole->text[nr++] = text;
	}
	hole->last = nr - 1;
	return 0;
}

static int add_hole(struct holes *h, const struct brace *b, char error[256])
{
	struct hole *hole = &h->hole[h->nr];
	char *values, *dots;

	if (h->nr == HOLES_MAX) {
		snprintf(error, 256, "more than %d holes", HOLES_MAX);
		return -1;
	}
	*hole = (struct hole){ .name = arena_copy(&h->texts, b->name, b->name_len) };
	values = arena_copy(&h->texts, b->values, b->len);
	if (find_hole(h, b))
		return bad(hole, values, "there is one of that name; to have its value once more, "
			   "give the name alone", error);
	h->nr++;
	dots = strchr(values, ',') ? NULL : strstr(values, "..");
	return dots ? take_range(hole, values, dots, error) : take_texts(hole, values, error);
}

int holes_parse(struct holes *h, char *const *argument, char error[256])
{
	struct brace b;
	const char *at;

	h->argument = argument;
	for (; argument[h->nr_arguments]; h->nr_arguments++)
		for (at = argument[h->nr_arguments]; next_brace(&at, &b); at = b.end)
			if (!b.is_text && b.values && add_hole(h, &b, error))
				return -1;
	if (h->nr)
		return 0;
	snprintf(error, 256, "the command has no hole: give it some, in quotes, such as "
		 "'{size:1..65536}' or '{flag:a,b,c}'");
	return -1;
}

void holes_free(struct holes *h)
{
	uint32_t i;

	for (i = 0; i < h->nr; i++)
		free(h->hole[i].text);
	arena_free(&h->texts);
	*h = (struct holes){ .nr = 0 };
}

uint64_t holes_ways(const struct holes *h)
{
	uint64_t ways = 1;
	uint32_t i;

	for (i = 0; i < h->nr; i++) {
		uint64_t span = hole_span(&h->hole[i]);

		if (span == UINT64_MAX || __builtin_mul_overflow(ways, span + 1, &ways))
			return UINT64_MAX;
	}
	return ways;
}

/* --- filling --- */

static void add_value(const struct hole *hole, int64_t value, struct buf *out)
{
	if (hole->text)
		buf_printf(out, "%s", hole->text[value]);
	else
		buf_printf(out, "%" PRId64, value);
}

/* Append an argument. Returns whether it is left out. */
static bool fill(const struct holes *h, const int64_t *value, const char *argument, struct buf *out)
{
	const char *from = argument, *at = argument;
	const struct hole *hole;
	bool is_hole = false;
	struct brace b;

	buf_add(out, "", 0);
	for (; next_brace(&at, &b); at = b.end) {
		hole = b.is_text ? NULL : find_hole(h, &b);
		buf_add(out, from, at - from);
		from = b.end;
		if (hole)
			add_value(hole, value[hole - h->hole], out);
		else
			buf_add(out, at + b.is_text, b.end - at - b.is_text);
		is_hole = hole && at == argument && !*b.end;
	}
	buf_printf(out, "%s", from);
	return is_hole && !out->len;
}

char **holes_fill(const struct holes *h, const int64_t *value)
{
	char **command = mem_zalloc(h->nr_arguments + 1, sizeof(*command));
	uint32_t i, nr = 0;

	for (i = 0; i < h->nr_arguments; i++) {
		struct buf text = { 0 };

		/* The first one is what is to be run: without it the next would be. */
		if (fill(h, value, h->argument[i], &text) && i)
			buf_free(&text);
		else
			command[nr++] = text.data;
	}
	return command;
}

void holes_free_command(char **command)
{
	char **argument;

	for (argument = command; *argument; argument++)
		free(*argument);
	free(command);
}

void holes_print(const struct holes *h, const int64_t *value, struct buf *out)
{
	uint32_t i;

	for (i = 0; i < h->nr; i++) {
		buf_printf(out, "%s%s=", i ? " " : "", h->hole[i].name);
		add_value(&h->hole[i], value[i], out);
	}
}
