// SPDX-License-Identifier: GPL-2.0-only
/*
 * translate.c - find the names in a target and its options, and write what the module takes
 *
 * Only names are looked at. Everything else goes through unchanged, so that the module, which
 * knows its grammar, says what is wrong with it:
 *
 *	TARGET	PLACE[(KEY[,cpu][,CONDITION]...)] [|..]... [OPTION]...
 *	KEY	FUNCTION(KEY[,NUMBER]) | WORD | FETCH[&MASK][:TYPE]
 *	FETCH	$argN | $retval | %REGISTER | +OFFSET(FETCH) | NAME
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "lib/outside.h"
#include "names/prototype.h"

#define MAX_POINTS	8	/* more than a target can have */
#define MAX_NESTED	8	/* parentheses around a key */

const char *const names_words[] = {
	"error", "comm", "current", "pid", "cpu", "context", "syscall", "caller", "stack", "ustack",
	"state", "fault", "cgroup", NULL
};

/**
 * struct places - where a key is read: points of one role
 * @place:	their names, without keys
 */
struct places {
	char place[MAX_POINTS][128];
	size_t nr;
};

/**
 * struct line - a target that is being translated
 * @at:		the rest of it
 * @out:	what the module takes
 * @begin:	where a function is called, a point is passed, or a span begins
 * @end:	where a span ends
 * @in_condition: a key is followed by a comparison
 * @is_named:	a name was translated
 */
struct line {
	struct names *names;
	const char *at;
	struct buf *out, *why;
	struct places begin, end;
	bool in_condition, is_named;
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t name_length(const char *text)
{
	size_t len = 0;

	while (is_name(text[len]))
		len++;
	return len;
}

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

static void copy(struct line *l, size_t len)
{
	buf_add(l->out, l->at, len);
	l->at += len;
}

static bool copy_if(struct line *l, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(l->at, text, len))
		return false;
	copy(l, len);
	return true;
}

/* --- a name --- */

/* The length of "$NAME->MEMBER.MEMBER[3]"; 0 if it is no name. */
static size_t expression_length(const char *text)
{
	const char *p = text + (*text == '$');
	size_t len;

	if (!isalpha((unsigned char)*p) && *p != '_')
		return 0;
	p += name_length(p);
	for (;;) {
		if (p[0] == '-' && p[1] == '>')
			len = 2 + name_length(p + 2);
		else if (p[0] == '.' && p[1] != '.')
			len = 1 + name_length(p + 1);
		else if (p[0] == '[' && isdigit((unsigned char)p[1]) && p[1 + digits(p + 1)] == ']')
			len = 2 + digits(p + 1);
		else
			return p - text;
		p += len;
	}
}

static bool is_among(const char *const *list, const char *text, size_t len)
{
	for (; *list; list++)
		if (strlen(*list) == len && !memcmp(*list, text, len))
			return true;
	return false;
}

/* Does the module know it without help? Only with a member it is something else. */
static bool is_word(const char *text, size_t len)
{
	if (is_among(names_words, text, len))
		return true;
	return *text == '$' && name_length(text + 1) == len - 1 &&
	       (!strncmp(text, "$arg", 4) ? strspn(text + 4, "0123456789") == len - 4 :
		len == 7 && !memcmp(text, "$retval", 7));
}

/* In several points a name has to mean the same. */
static int look_up(struct line *l, const struct places *places, size_t len,
		   enum value_form form, struct value *v)
{
	struct value other = { .mask = 0 };
	struct prototype p;
	size_t i;
	int err;

	*v = (struct value){ .mask = 0 };
	for (i = 0; i < places->nr; i++) {
		err = prototype_find(l->names, places->place[i], &p, l->why);
		if (!err)
			err = prototype_value(&p, l->at, len, form, i ? &other : v, l->why);
		if (!err && i && (strcmp(v->fetch.data, other.fetch.data) ||
				  strcmp(v->type, other.type) || v->mask != other.mask)) {
			buf_printf(l->why, "'%.*s' is another value at %s than at %s",
				   (int)len, l->at, places->place[0], places->place[i]);
			err = -EINVAL;
		}
		buf_free(&other.fetch);
		if (err)
			return err;
	}
	l->is_named = true;
	return 0;
}

/* --- a key --- */

/* FETCH inside of parentheses. */
static int fetch(struct line *l, const struct places *places, int depth)
{
	size_t len;
	struct value v;
	int err;

	if (depth < MAX_NESTED && (*l->at == '+' || *l->at == '-')) {
		copy(l, 1 + name_length(l->at + 1));
		err = copy_if(l, "(") ? fetch(l, places, depth + 1) : 0;
		copy_if(l, ")");
		return err;
	}
	if (*l->at == '%')
		copy(l, 1 + name_length(l->at + 1));
	len = expression_length(l->at);
	if (!len || is_word(l->at, len)) {
		copy(l, len);
		return 0;
	}
	err = look_up(l, places, len, VALUE_ADDRESS, &v);
	if (!err)
		buf_printf(l->out, "%s", v.fetch.data);
	l->at += len;
	buf_free(&v.fetch);
	return err;
}

/* The length of "&MASK"; 0 if there is none, or if it is the operator of a condition. */
static size_t mask_length(const struct line *l, const char *text)
{
	size_t len;

	if (*text != '&')
		return 0;
	len = 1 + (text[1] == '~');
	len += name_length(text + len);
	return !l->in_condition || (text[len] && strchr("=!<>&:", text[len])) ? len : 0;
}

/* Must it be a number, as it joins, is a size, or each()? Then no comparison follows. */
static enum value_form form_of(const struct line *l, const char *rest, bool is_joining)
{
	size_t mask = mask_length(l, rest);

	rest += mask;
	if (!strncmp(rest, ":string", 7) || !strncmp(rest, ":ustring", 8))
		return VALUE_TEXT;
	if (mask || *rest == ':' || (is_joining && (*rest == ',' || *rest == ')')))
		return VALUE_NUMBER;
	return VALUE_ANY;
}

static int add_value(struct line *l, const struct value *v)
{
	size_t mask = mask_length(l, l->at);

	if (v->mask && mask) {
		buf_printf(l->why, "'%.*s': it is a bit field, which takes no mask", (int)mask,
			   l->at);
		return -EINVAL;
	}
	buf_printf(l->out, "%s", v->fetch.data);
	if (v->mask)
		buf_printf(l->out, "&0x%llx", (unsigned long long)v->mask);
	copy(l, mask);
	if (*l->at == ':')
		copy(l, 1 + name_length(l->at + 1));
	else if (mask)
		buf_printf(l->out, ":x%u", v->bits);
	else if (*v->type)
		buf_printf(l->out, ":%s", v->type);
	return 0;
}

/* FETCH[&MASK][:TYPE], or a word. */
static int plain_key(struct line *l, const struct places *places, bool is_joining)
{
	size_t len = expression_length(l->at);
	enum value_form form = form_of(l, l->at + len, is_joining);
	struct value v;
	int err;

	if (!len || is_word(l->at, len)) {
		err = fetch(l, places, 0);
		copy(l, mask_length(l, l->at));
		if (*l->at == ':')
			copy(l, 1 + name_length(l->at + 1));
		return err;
	}
	err = look_up(l, places, len, form, &v);
	l->at += len;
	if (!err)
		err = add_value(l, &v);
	buf_free(&v.fetch);
	return err;
}

static int key(struct line *l, const struct places *places, bool is_joining, int depth)
{
	size_t len = name_length(l->at);
	int err;

	if (l->at[len] != '(' || !len)
		return plain_key(l, places, is_joining);
	if (!strncmp(l->at, "hits(", 5) || depth == MAX_NESTED) {
		copy(l, strcspn(l->at, ") \t"));
		copy_if(l, ")");
		return 0;
	}
	if (copy_if(l, "comm(")) {
		err = fetch(l, places, 0);
	} else if (copy_if(l, "end(")) {
		err = key(l, l->end.nr ? &l->end : places, false, depth + 1);
	} else if (copy_if(l, "each(")) {
		err = key(l, l->end.nr ? &l->end : places, true, depth + 1);
	} else {
		copy(l, len + 1);
		err = key(l, places, false, depth + 1);
	}
	/* The step of linear(KEY,STEP). */
	if (!err && *l->at == ',')
		copy(l, strcspn(l->at, ") \t"));
	copy_if(l, ")");
	return err;
}

/* KEY OP VALUE, of which VALUE is not looked at. In a point, OP may be missing. */
static int condition(struct line *l, const struct places *places, bool is_point)
{
	int err = key(l, places, is_point, 0);

	copy(l, strcspn(l->at, is_point ? ",) \t" : ", \t"));
	return err;
}

/* --- options --- */

/* A key of by=. Rows show it as the user wrote it. */
static int row_key(struct line *l)
{
	/* NAME=KEY; names may have parentheses. */
	size_t equals = outside_find(l->at, "=,");
	bool has_name = l->at[equals] == '=';
	struct buf *out = l->out, translated = { 0 };
	const char *start;
	int err;

	/* It makes no row, and has no name. */
	if (!strncmp(l->at, "each(", 5))
		return key(l, &l->begin, false, 0);
	if (has_name)
		copy(l, equals + 1);
	start = l->at;
	l->is_named = false;
	l->out = &translated;
	err = key(l, &l->begin, false, 0);
	l->out = out;
	if (!err && l->is_named && !has_name)
		buf_printf(out, "%.*s=", (int)(l->at - start), start);
	if (translated.data)
		buf_add(out, translated.data, translated.len);
	buf_free(&translated);
	return err;
}

static int option(struct line *l)
{
	int err = 0;

	if (copy_if(l, "by=")) {
		do {
			err = row_key(l);
		} while (!err && copy_if(l, ","));
	} else if (copy_if(l, "if=")) {
		l->in_condition = true;
		do {
			err = condition(l, &l->begin, false);
		} while (!err && copy_if(l, ","));
		l->in_condition = false;
	}
	copy(l, strcspn(l->at, " \t"));
	return err;
}

/* --- places --- */

static bool is_end(char c)
{
	return !c || c == ' ' || c == '\t';
}

/* The length of a place, by the characters that no place contains. */
static size_t place_length(const char *p)
{
	size_t len = 0;

	while (!is_end(p[len]) && !strchr("(|)", p[len]) && strncmp(p + len, "..", 2))
		len++;
	return len;
}

static const char *skip_parentheses(const char *p)
{
	int depth = 0;

	for (; !is_end(*p); p++) {
		depth += (*p == '(') - (*p == ')');
		if (!depth)
			return p + 1;
	}
	return p;
}

static void note_place(struct places *places, const char *place, size_t len)
{
	if (places->nr < MAX_POINTS)
		snprintf(places->place[places->nr++], sizeof(places->place[0]), "%.*s", (int)len,
			 place);
}

/* Note all places before any key is translated: by= refers to them. */
static void note_places(struct line *l)
{
	struct places *places = &l->begin;
	const char *p = l->at;
	size_t len;

	for (;;) {
		len = place_length(p);
		note_place(places, p, len);
		p += len;
		if (*p == '(')
			p = skip_parentheses(p);
		if (*p == '|') {
			p++;
		} else if (!strncmp(p, "..", 2)) {
			p += 2;
			places = &l->end;
		} else {
			return;
		}
	}
}

/* A word for what becomes of an open span. Such a word is no argument, unless a "$" precedes. */
static bool copy_fate(struct line *l)
{
	static const char *const fates[] = { "restart", "keep", "forget", NULL };
	size_t len = expression_length(l->at);

	if (!is_among(fates, l->at, len))
		return false;
	copy(l, len);
	return true;
}

/* ([KEY[,cpu]][,CONDITION]...[,SIZE][,FATE]) */
static int point_keys(struct line *l, const struct places *place)
{
	int err = 0;

	copy_if(l, "(");
	do {
		if (copy_fate(l))
			continue;
		if (copy_if(l, "bytes=") || copy_if(l, "order="))
			err = key(l, place, true, 0);
		else
			err = condition(l, place, true);
	} while (!err && copy_if(l, ","));
	copy_if(l, ")");
	return err;
}

static int points(struct line *l)
{
	struct places place;
	size_t len;
	int err = 0;

	do {
		place.nr = 0;
		len = place_length(l->at);
		note_place(&place, l->at, len);
		copy(l, len);
		if (*l->at == '(')
			err = point_keys(l, &place);
	} while (!err && (copy_if(l, "|") || copy_if(l, "..")));
	copy(l, strcspn(l->at, " \t"));
	return err;
}

int names_translate(struct names *n, const char *line, struct buf *out, struct buf *why)
{
	struct line l = { .names = n, .at = line, .out = out, .why = why };
	int err;

	note_places(&l);
	l.in_condition = true;
	err = points(&l);
	l.in_condition = false;
	while (!err && *l.at) {
		copy(&l, strspn(l.at, " \t"));
		err = option(&l);
	}
	return err;
}
