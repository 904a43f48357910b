// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_marker_keys.c - arguments of markers (USDT) in the keys of targets
 *
 * "$arg1" of a marker is not the first argument of a function, but what the marker's note says:
 * a register, or memory beside one. The module has keys for both, and does not know markers. What
 * is no argument goes through unchanged.
 */
#include <ctype.h>
#include <string.h>

#include "lib/exit.h"
#include "lib/msg.h"
#include "lib/outside.h"
#include "record/user_marker.h"

/**
 * struct line - keys that are translated
 * @out:	where they go
 * @begin, @end: where keys are read; those in end() at @end
 * @in_condition: a comparison follows a key
 * @is_named:	an argument was translated
 */
struct line {
	struct buf *out;
	const struct marker_places *begin, *end;
	bool in_condition, is_named;
};

/* Is the key at @text dereferenced, as in "+8($arg1)"? @start: where the keys begin. */
static bool is_pointer(const char *start, const char *text)
{
	const char *at = text - 1;

	if (text == start || *at != '(')
		return false;
	while (at > start && isalnum((unsigned char)at[-1]))
		at--;
	return at > start && (at[-1] == '+' || at[-1] == '-');
}

/* The length of "&MASK" at the beginning of a text; 0 if "&" is the operator of a condition. */
static size_t mask_length(const struct line *l, const char *text)
{
	size_t len = 1;

	if (*text != '&')
		return 0;
	len += text[len] == '~';
	while (isalnum((unsigned char)text[len]))
		len++;
	return !l->in_condition || (text[len] && strchr("=!<>&:", text[len])) ? len : 0;
}

/* The argument at all places; in each of them it must be in the same place. */
static int find(const struct marker_places *places, unsigned int number,
		struct user_marker_argument *arg)
{
	const struct user_marker *first = places->item[0], *one = first;
	struct user_marker_argument other;
	struct buf why = { 0 };
	size_t i;
	int ret = EXIT_OK;

	for (i = 0; i < places->nr && !ret; i++) {
		one = places->item[i];
		if (!one || !first)
			ret = msg_usage("'$arg%u' means one thing at a marker and another elsewhere: "
					"give targets of their own", number);
		else if (!user_marker_argument(one, number, i ? &other : arg, &why))
			ret = msg_error("'$arg%u' of the marker %s:%s: %s", number, one->provider,
					one->name, why.data);
		else if (i && (strcmp(arg->fetch, other.fetch) || strcmp(arg->type, other.type)))
			ret = msg_error("'$arg%u' of the marker %s:%s is %s in one of its %zu places, "
					"and %s in another: give them as targets of their own, "
					"%s:%s@1 to %s:%s@%zu", number, one->provider, one->name,
					arg->fetch, places->nr, other.fetch, one->provider,
					one->name, one->provider, one->name, places->nr);
	}
	buf_free(&why);
	return ret;
}

static bool has_markers(const struct marker_places *places)
{
	size_t i;

	for (i = 0; i < places->nr; i++)
		if (places->item[i])
			return true;
	return false;
}

/* Translate "$argN" at *@at, which goes on behind it. */
static int argument(struct line *l, const char *start, const char **at,
		    const struct marker_places *places)
{
	unsigned int number = (*at)[4] - '0';
	struct user_marker_argument arg = { .bytes = 0 };
	int ret = find(places, number, &arg);
	size_t mask;

	if (ret)
		return ret;
	if (is_pointer(start, *at)) {
		if (arg.bytes < (places->item[0]->machine == USER_X86 ? 4 : 8))
			return msg_error("'$arg%u' of the marker %s:%s has %d bytes, and is no address",
					 number, places->item[0]->provider, places->item[0]->name,
					 arg.bytes);
		buf_printf(l->out, "%s", arg.fetch);
		*at += strlen("$arg1");
	} else {
		*at += strlen("$arg1");
		mask = mask_length(l, *at);
		buf_printf(l->out, "%s%.*s", arg.fetch, (int)mask, *at);
		*at += mask;
		if (**at != ':')
			buf_printf(l->out, ":%s", arg.type);
	}
	l->is_named = true;
	return EXIT_OK;
}

static bool is_argument(const char *text)
{
	return !strncmp(text, "$arg", 4) && text[4] >= '1' && text[4] <= '9' &&
	       !isdigit((unsigned char)text[5]);
}

/* Translate keys: text in which parentheses may be open at the end. */
static int keys(struct line *l, const char *text, size_t len)
{
	const char *at = text, *stop = text + len;
	int depth = 0, end_depth = 0, ret = EXIT_OK;

	while (at < stop && !ret) {
		const struct marker_places *places = end_depth ? l->end : l->begin;
		bool begins_word = at == text || !isalnum((unsigned char)at[-1]);

		if (is_argument(at) && has_markers(places)) {
			ret = argument(l, text, &at, places);
			continue;
		}
		if (begins_word && !end_depth && l->end->nr && !strncmp(at, "end(", 4))
			end_depth = depth + 1;
		depth += (*at == '(') - (*at == ')');
		if (*at == ')' && depth < end_depth)
			end_depth = 0;
		buf_add(l->out, at++, 1);
	}
	return ret;
}

/* A key of by=. Rows show it as the user wrote it, as with names of the kernel's arguments. */
static int row_key(struct line *l, const char *key, size_t len)
{
	size_t equals = outside_find(key, "=,");
	struct buf *out = l->out, translated = { 0 };
	bool is_named = key[equals] == '=' || !strncmp(key, "each(", 5);
	int ret;

	l->out = &translated;
	l->is_named = false;
	ret = keys(l, key, len);
	l->out = out;
	if (l->is_named && !is_named)
		buf_printf(out, "%.*s=", (int)len, key);
	if (translated.len)
		buf_add(out, translated.data, translated.len);
	buf_free(&translated);
	return ret;
}

static int row_keys(struct line *l, const char **at)
{
	size_t len;
	int ret;

	do {
		len = outside_find(*at, ",");
		ret = row_key(l, *at, len);
		*at += len;
		if (**at == ',')
			buf_add(l->out, (*at)++, 1);
		else
			break;
	} while (!ret);
	return ret;
}

int user_marker_options(struct buf *out, const char *options, const struct marker_places *begin,
			const struct marker_places *end)
{
	struct line l = { .out = out, .begin = begin, .end = end };
	int ret = EXIT_OK;
	size_t len;

	while (*options && !ret) {
		len = strspn(options, " \t");
		buf_add(out, options, len);
		options += len;
		if (!strncmp(options, "by=", 3)) {
			buf_add(out, options, 3);
			options += 3;
			ret = row_keys(&l, &options);
			continue;
		}
		len = strcspn(options, " \t");
		l.in_condition = true;
		ret = keys(&l, options, len);
		l.in_condition = false;
		options += len;
	}
	return ret;
}

int user_marker_point_keys(struct buf *out, const char *text, size_t len,
			   const struct user_marker *marker)
{
	struct marker_places places = { .item = { marker }, .nr = 1 }, none = { .nr = 0 };
	struct line l = { .out = out, .begin = &places, .end = &none, .in_condition = true };

	return keys(&l, text, len);
}
