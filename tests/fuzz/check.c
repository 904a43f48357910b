// SPDX-License-Identifier: GPL-2.0-only
/*
 * check.c - is what a verb printed what it says it is?
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"

/* --- characters --- */

/* One character of UTF-8; 0: it is none, and @at stays. */
static uint32_t decode(const unsigned char **at, const unsigned char *end)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = *at;
	uint32_t c = *p++;
	int more = c < 0x80 ? 0 : (c & 0xe0) == 0xc0 ? 1 : (c & 0xf0) == 0xe0 ? 2 :
		   (c & 0xf8) == 0xf0 ? 3 : -1, i;

	if (more < 0 || end - p < more)
		return 0;
	if (more)
		c &= 0x3f >> more;
	for (i = 0; i < more; i++, p++) {
		if ((*p & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (*p & 0x3f);
	}
	if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*at = p;
	return c;
}

static bool is_control(uint32_t c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
}

/* What turns the direction of what follows. */
static bool is_override(uint32_t c)
{
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

const char *check_text(const char *text, size_t len)
{
	const unsigned char *at = (const void *)text, *end = at + len;
	uint32_t c;

	while (at < end) {
		c = decode(&at, end);
		if (!c)
			return "what is printed is not UTF-8";
		if (is_control(c))
			return "a control character is printed";
		if (is_override(c))
			return "a right-to-left override is printed";
	}
	return NULL;
}

/* --- JSON --- */

#define JSON_DEPTH	16

struct json {
	const char *at, *end;
	int depth;
};

static bool json_value(struct json *j);

static void json_space(struct json *j)
{
	while (j->at < j->end && strchr(" \n\t", *j->at) && *j->at)
		j->at++;
}

static bool json_is(struct json *j, char c)
{
	json_space(j);
	if (j->at == j->end || *j->at != c)
		return false;
	j->at++;
	return true;
}

static bool json_escape(struct json *j)
{
	int i;

	if (j->at == j->end)
		return false;
	if (*j->at != 'u')
		return strchr("\"\\/bfnrt", *j->at++);
	for (i = 1; i <= 4; i++)
		if (j->end - j->at <= i || !isxdigit((unsigned char)j->at[i]))
			return false;
	j->at += 5;
	return true;
}

static bool json_string(struct json *j)
{
	if (!json_is(j, '"'))
		return false;
	while (j->at < j->end && *j->at != '"') {
		if ((unsigned char)*j->at < ' ')
			return false;
		if (*j->at++ == '\\' && !json_escape(j))
			return false;
	}
	return json_is(j, '"');
}

static size_t digits(struct json *j)
{
	const char *start = j->at;

	while (j->at < j->end && isdigit((unsigned char)*j->at))
		j->at++;
	return j->at - start;
}

static bool json_number(struct json *j)
{
	const char *start;

	json_is(j, '-');
	start = j->at;
	if (!digits(j) || (*start == '0' && j->at - start > 1))
		return false;
	if (j->at < j->end && *j->at == '.') {
		j->at++;
		if (!digits(j))
			return false;
	}
	if (j->at < j->end && (*j->at | 0x20) == 'e') {
		j->at++;
		if (j->at < j->end && strchr("+-", *j->at))
			j->at++;
		return digits(j);
	}
	return true;
}

/* "{", "[": members up to the other bracket. */
static bool json_members(struct json *j, char close, bool named)
{
	if (json_is(j, close))
		return true;
	do {
		if (named && (!json_string(j) || !json_is(j, ':')))
			return false;
		if (!json_value(j))
			return false;
	} while (json_is(j, ','));
	return json_is(j, close);
}

static bool json_word(struct json *j, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(j->end - j->at) < len || memcmp(j->at, word, len))
		return false;
	j->at += len;
	return true;
}

static bool json_value(struct json *j)
{
	bool good;

	if (++j->depth > JSON_DEPTH)
		return false;
	json_space(j);
	if (j->at == j->end)
		good = false;
	else if (json_is(j, '{'))
		good = json_members(j, '}', true);
	else if (json_is(j, '['))
		good = json_members(j, ']', false);
	else if (*j->at == '"')
		good = json_string(j);
	else
		good = json_word(j, "true") || json_word(j, "false") || json_word(j, "null") ||
		       json_number(j);
	j->depth--;
	return good;
}

const char *check_json(const char *text, size_t len)
{
	struct json j = { text, text + len, 0 };

	if (!json_value(&j))
		return "what is printed is not JSON";
	json_space(&j);
	return j.at == j.end ? check_text(text, len) : "something follows the JSON";
}

/* --- SVG --- */

#define SVG_DEPTH	32

struct svg {
	const char *at, *end;
	struct {
		const char *name;
		size_t len;
	} open[SVG_DEPTH];
	int depth;
};

static bool svg_is(struct svg *s, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(s->end - s->at) < len || memcmp(s->at, text, len))
		return false;
	s->at += len;
	return true;
}

static bool svg_behind(struct svg *s, const char *text)
{
	const char *at = memmem(s->at, s->end - s->at, text, strlen(text));

	if (at)
		s->at = at + strlen(text);
	return at;
}

/* The name of an element or an attribute. */
static size_t svg_name(struct svg *s)
{
	const char *start = s->at;

	while (s->at < s->end && (isalnum((unsigned char)*s->at) || strchr("-_:.", *s->at)) &&
	       *s->at)
		s->at++;
	return s->at - start;
}

/* Text up to a character of @stop; an & must begin what XML knows. */
static bool svg_text(struct svg *s, const char *stop)
{
	static const char *const known[] = { "lt;", "gt;", "amp;", "quot;", "apos;", NULL };
	int i;

	while (s->at < s->end && !strchr(stop, *s->at)) {
		if (*s->at++ != '&')
			continue;
		if (svg_is(s, "#")) {
			if (!svg_behind(s, ";"))
				return false;
			continue;
		}
		for (i = 0; known[i] && !svg_is(s, known[i]); i++)
			;
		if (!known[i])
			return false;
	}
	return true;
}

static bool svg_attributes(struct svg *s)
{
	while (svg_is(s, " ") || svg_is(s, "\n")) {
		if (!svg_name(s))
			continue;
		if (!svg_is(s, "=\"") || !svg_text(s, "\"<") || !svg_is(s, "\""))
			return false;
	}
	return true;
}

static bool svg_close(struct svg *s)
{
	const char *name = s->at;
	size_t len = svg_name(s);

	if (!s->depth)
		return false;
	s->depth--;
	return len == s->open[s->depth].len && !memcmp(name, s->open[s->depth].name, len) &&
	       svg_is(s, ">");
}

static bool svg_element(struct svg *s)
{
	const char *name = s->at;
	size_t len = svg_name(s);

	if (!len || !svg_attributes(s))
		return false;
	if (svg_is(s, "/>"))
		return true;
	if (!svg_is(s, ">") || s->depth == SVG_DEPTH)
		return false;
	s->open[s->depth].name = name;
	s->open[s->depth++].len = len;
	return true;
}

static bool svg_markup(struct svg *s)
{
	if (svg_is(s, "<![CDATA["))
		return svg_behind(s, "]]>");
	if (svg_is(s, "<!--"))
		return svg_behind(s, "-->");
	if (svg_is(s, "<?"))
		return svg_behind(s, "?>");
	if (svg_is(s, "<!"))
		return svg_behind(s, ">");
	if (svg_is(s, "</"))
		return svg_close(s);
	return svg_is(s, "<") && svg_element(s);
}

const char *check_svg(const char *text, size_t len)
{
	struct svg s = { .at = text, .end = text + len };

	while (s.at < s.end) {
		if (!svg_text(&s, "<"))
			return "an & in the SVG is none of XML's";
		if (s.at < s.end && !svg_markup(&s))
			return "the SVG is not well-formed";
	}
	return s.depth ? "the SVG ends too early" : check_text(text, len);
}
