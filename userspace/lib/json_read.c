// SPDX-License-Identifier: GPL-2.0-only
/*
 * json_read.c - read JSON into a tree
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json_read.h"
#include "lib/mem.h"
#include "lib/number.h"

struct reader {
	struct json_tree *tree;
	char *at;		/* what is read next */
	int line;
	int depth;
	char *error;
};

static bool take_value(struct reader *r, const char *name);

static bool fail(struct reader *r, const char *what)
{
	snprintf(r->error, 256, "line %d: %s", r->line, what);
	return false;
}

static void skip_space(struct reader *r)
{
	for (; *r->at && strchr(" \t\r\n", *r->at); r->at++)
		r->line += *r->at == '\n';
}

static bool take(struct reader *r, char c)
{
	skip_space(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

/* --- texts --- */

static bool take_hex(struct reader *r, uint32_t *code)
{
	char digits[5] = { 0 };
	const char *p = digits;
	uint64_t value;

	/* Up to the NUL at the end of the text, which is no digit. */
	strncpy(digits, r->at, 4);
	if (!number_take(&p, NUMBER_HEX, &value) || p != digits + 4)
		return fail(r, "\\u without four digits");
	*code = (uint32_t)value;
	r->at += 4;
	return true;
}

/* UTF-8 has no more bytes than the \u before it. */
static char *put_utf8(char *to, uint32_t code)
{
	if (code < 0x80) {
		*to++ = (char)code;
	} else if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
		*to++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	} else {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	}
	return to;
}

/* Behind "\u"; two of them stand for one character beyond 0xffff. */
static bool take_code(struct reader *r, char **to)
{
	uint32_t code, low;

	if (!take_hex(r, &code))
		return false;
	if (code >= 0xd800 && code < 0xdc00 && r->at[0] == '\\' && r->at[1] == 'u') {
		r->at += 2;
		if (!take_hex(r, &low))
			return false;
		if (low < 0xdc00 || low > 0xdfff)
			return fail(r, "half a character");
		code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
	} else if (code >= 0xd800 && code < 0xe000) {
		return fail(r, "half a character");
	}
	if (!code)
		return fail(r, "a NUL in a text");
	*to = put_utf8(*to, code);
	return true;
}

static bool take_escape(struct reader *r, char **to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	const char *found = *r->at ? strchr(from, *r->at) : NULL;

	if (*r->at == 'u') {
		r->at++;
		return take_code(r, to);
	}
	if (!found)
		return fail(r, "an unknown escape in a text");
	*(*to)++ = into[found - from];
	r->at++;
	return true;
}

/* Behind the quote. It is decoded in place, and gets a NUL. */
static const char *take_text(struct reader *r)
{
	char *text = r->at, *to = r->at;

	while (*r->at != '"') {
		if ((unsigned char)*r->at < ' ') {
			fail(r, "a text without an end");
			return NULL;
		}
		if (*r->at != '\\') {
			*to++ = *r->at++;
			continue;
		}
		r->at++;
		if (!take_escape(r, &to))
			return NULL;
	}
	r->at++;
	*to = '\0';
	return text;
}

/* --- values --- */

static struct json_value *add(struct reader *r, const char *name, enum json_type type)
{
	struct json_tree *t = r->tree;

	if (t->nr == JSON_READ_VALUES) {
		snprintf(r->error, 256, "line %d: more values than %u", r->line,
			 JSON_READ_VALUES);
		return NULL;
	}
	t->value = mem_grow(t->value, &t->room, (size_t)t->nr + 1, sizeof(*t->value));
	t->value[t->nr] = (struct json_value){ .type = type, .name = name, .size = 1 };
	return &t->value[t->nr++];
}

static bool add_text(struct reader *r, const char *name, enum json_type type, const char *text)
{
	struct json_value *value = add(r, name, type);

	if (value)
		value->text = text;
	return value;
}

/* A member, and the comma behind it. */
static bool take_member(struct reader *r, bool is_object, char end)
{
	const char *name = NULL;

	if (is_object) {
		if (!take(r, '"'))
			return fail(r, "no name of a member");
		name = take_text(r);
		if (!name)
			return false;
		if (!take(r, ':'))
			return fail(r, "no colon behind a name");
	}
	if (!take_value(r, name))
		return false;
	skip_space(r);
	return *r->at == end || take(r, ',') || fail(r, "no comma between two values");
}

static bool take_members(struct reader *r, const char *name, bool is_object)
{
	uint32_t at = r->tree->nr;
	char end = is_object ? '}' : ']';

	if (!add(r, name, is_object ? JSON_OBJECT : JSON_ARRAY))
		return false;
	if (++r->depth > JSON_READ_DEPTH)
		return fail(r, "too many objects and arrays in each other");
	while (!take(r, end)) {
		if (!take_member(r, is_object, end))
			return false;
		r->tree->value[at].nr++;
	}
	r->depth--;
	r->tree->value[at].size = r->tree->nr - at;
	return true;
}

/* "true", "false", "null" or a number, which keeps its text. */
static bool take_word(struct reader *r, const char *name)
{
	static const struct { const char *text; enum json_type type; } words[] = {
		{ "null", JSON_NULL }, { "true", JSON_BOOL }, { "false", JSON_BOOL },
	};
	const char *end = r->at;
	double number;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t len = strlen(words[i].text);

		if (strncmp(r->at, words[i].text, len))
			continue;
		r->at += len;
		return add_text(r, name, words[i].type, words[i].text);
	}
	if (!number_take_real(&end, &number))
		return fail(r, "no value");
	if (!add_text(r, name, JSON_NUMBER, r->at))
		return false;
	r->at += end - r->at;
	return true;
}

static bool take_value(struct reader *r, const char *name)
{
	const char *text;

	if (take(r, '{'))
		return take_members(r, name, true);
	if (take(r, '['))
		return take_members(r, name, false);
	if (!take(r, '"'))
		return take_word(r, name);
	text = take_text(r);
	return text && add_text(r, name, JSON_TEXT, text);
}

int json_tree_read(struct json_tree *t, char *text, char error[256])
{
	struct reader r = { .tree = t, .at = text, .line = 1, .error = error };

	if (!take_value(&r, NULL))
		return -1;
	skip_space(&r);
	if (!*r.at)
		return 0;
	fail(&r, "something behind the end");
	return -1;
}

void json_tree_free(struct json_tree *t)
{
	free(t->value);
	*t = (struct json_tree){ .nr = 0 };
}

/* --- looking up --- */

const struct json_value *json_next(const struct json_value *parent, const struct json_value *last)
{
	const struct json_value *next;

	if (!parent || (parent->type != JSON_ARRAY && parent->type != JSON_OBJECT))
		return NULL;
	next = last ? last + last->size : parent + 1;
	return next < parent + parent->size ? next : NULL;
}

const struct json_value *json_get(const struct json_value *object, const char *name)
{
	const struct json_value *v = NULL;

	if (!object || object->type != JSON_OBJECT)
		return NULL;
	while ((v = json_next(object, v)) != NULL)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

const char *json_get_text(const struct json_value *object, const char *name)
{
	const struct json_value *v = json_get(object, name);

	return v && v->type == JSON_TEXT ? v->text : NULL;
}

bool json_get_u64(const struct json_value *object, const char *name, uint64_t *number)
{
	const struct json_value *v = json_get(object, name);
	const char *text = v && v->type == JSON_NUMBER ? v->text : "";

	/* The text goes on behind the number: with a comma, a bracket or a space. */
	return number_take(&text, NUMBER_DECIMAL, number) && (!*text || !strchr(".eE", *text));
}
