// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_target.c - targets in programs and libraries, whose names become offsets in files
 *
 *	PLACE	FILE:FUNCTION[+0xOFFSET][%return] | FILE:0xOFFSET[%return] | FILE:PROVIDER:MARKER
 *	FILE	a path with a "/", or the name of a library
 *
 * The module takes offsets in files, as it does not read ELF.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/buf.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/plural.h"
#include "record/user_function.h"
#include "record/user_marker.h"
#include "record/user_place.h"
#include "record/user_target.h"
#include "symbols/functions.h"

#define IDENTITIES_MAX	7	/* as many points as a target can have */

/* The place at the beginning of a text: up to "(", "|" or the ".." of a span. */
static size_t place_length(const char *text)
{
	size_t i;

	for (i = 0; text[i] && !strchr(" \t|()", text[i]); i++) {
		bool is_parent = text[i + 1] && text[i + 2] == '/' && (!i || text[i - 1] == '/');

		if (!strncmp(text + i, "..", 2) && !is_parent)
			break;
		if (is_parent && !strncmp(text + i, "..", 2))
			i++;
	}
	return i;
}

/* What stands between two places: "|", "..", or keys in parentheses. */
static size_t other_length(const char *text)
{
	int depth = 0;
	size_t i;

	for (i = 0; text[i]; i++) {
		/* The next place may be a path that begins with "./" or "../". */
		if (!depth && text[i] == '|')
			return i + 1;
		if (!depth && !strncmp(text + i, "..", 2))
			return i + 2;
		if (!depth && !strchr("()", text[i]))
			break;
		depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
		if (depth < 0)
			return i + 1;
	}
	return i;
}

bool user_target_is(const char *given)
{
	const char *at = given, *function;
	bool found = false;

	while (*at && !strchr(" \t", *at) && !found) {
		struct buf place = { 0 }, path = { 0 };
		size_t len = place_length(at);

		buf_printf(&place, "%.*s", (int)len, at);
		found = place.len && strncmp(place.data, "tp:", 3) &&
			user_place_find(place.data, &path, &function);
		buf_free(&place);
		buf_free(&path);
		at += len;
		len = other_length(at);
		at += len;
		if (!len)
			break;
	}
	return found;
}

/* Say once for each library which file was taken. */
static void tell(const char *place, const char *function, const char *path)
{
	static char told[PATH_MAX];

	if (strchr(place, '/') || !strcmp(told, path))
		return;
	snprintf(told, sizeof(told), "%s", path);
	msg_warn("%.*s is %s", (int)(function - place - 1), place, path);
}

/* Options, and the name that was given, unless there is one. */
static void add_options(struct buf *line, const char *options, const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/@+%";

	buf_printf(line, "%s", options);
	if (!strstr(options, " as=") && strspn(name, letters) == strlen(name) &&
	    strncmp(line->data, name, strlen(name)))
		buf_printf(line, " as=%s", name);
}

/* --- which files the places were read from --- */

/* The module looks up each path again, and compares. In the order in which a target has them. */
struct identity {
	char *path;
	char id[128];
};

/* A target whose places are translated one after the other. */
struct target {
	struct user_code code;
	struct marker_files files;
	struct marker_places begin, end;	/* where its keys are read */
	struct identity identity[IDENTITIES_MAX];
	size_t nr_identities;
};

/* A file may have been read twice, for functions and for markers. */
static int note_identity(struct target *t, const char *path, const char *id)
{
	struct identity *one = t->identity;

	if (!id)
		return msg_error("'%s' cannot be looked at", path);
	for (; one < t->identity + t->nr_identities; one++)
		if (!strcmp(one->path, path))
			return !strcmp(one->id, id) ? EXIT_OK :
			       msg_error("'%s' was replaced or changed while it was read: try again",
					 path);
	if (t->nr_identities == IDENTITIES_MAX)
		return msg_error("a target with places in more than %d files is refused",
				 IDENTITIES_MAX);
	one->path = mem_strdup(path);
	snprintf(one->id, sizeof(one->id), "%s", id);
	t->nr_identities++;
	return EXIT_OK;
}

static void add_identities(struct buf *line, const struct target *t)
{
	size_t i;

	for (i = 0; i < t->nr_identities; i++)
		buf_printf(line, "%s%s", i ? "," : " file=", t->identity[i].id);
}

static bool is_taken(const uint64_t *taken, size_t nr, uint64_t start)
{
	size_t i;

	for (i = 0; i < nr && i < TARGETS_MAX; i++)
		if (taken[i] == start)
			return true;
	return false;
}

static int translate_pattern(struct user_code *code, const char *given, size_t len,
			     const char *place, const char *pattern, user_target_fn add, void *data)
{
	uint64_t taken[TARGETS_MAX];
	size_t i, nr = 0, chosen = 0;

	if (user_place_check(code->path.data))
		return EXIT_ERROR;
	for (i = 0; i < code->functions.nr; i++) {
		const struct user_function *one = &code->functions.item[i];
		struct buf line = { 0 }, name = { 0 };

		if (function_is_cold_part(one->name))
			continue;
		/* Of several names that match, the first is taken. */
		buf_printf(&name, "%.*s%.*s", (int)(pattern - place), place,
			   (int)strcspn(one->name, "@"), one->name);
		if (!fnmatch(pattern, name.data + (pattern - place), 0) &&
		    !is_taken(taken, nr, one->start)) {
			chosen += one->is_chosen;
			if (!one->is_chosen && nr < TARGETS_MAX) {
				taken[nr] = one->start;
				buf_printf(&line, "%s:0x%" PRIx64, code->path.data, one->start);
				add_options(&line, given + len, name.data);
				buf_printf(&line, " file=%s", code->id.data);
				add(data, line.data, true);
			}
			nr += !one->is_chosen;
		}
		buf_free(&name);
		buf_free(&line);
	}
	if (!code->functions.nr)
		return user_code_nameless(code);
	if (!nr)
		return msg_error("no function of %s matches '%s'", code->path.data, pattern);
	if (nr > TARGETS_MAX)
		return msg_error("'%s' matches %zu functions of %s, and at most %d can be watched "
				 "by one pattern: give a narrower one", pattern, nr,
				 code->path.data, TARGETS_MAX);
	if (chosen)
		msg_warn("'%s': %zu function%s left out that %s chosen when a program starts "
			 "(IFUNC)", pattern, chosen, plural(chosen), plural_are(chosen));
	return EXIT_OK;
}

/* Translate one place, or copy it if it is of the kernel. */
static int translate_one(struct target *t, const char *place, bool is_call, struct buf *line)
{
	struct user_code *code = &t->code;
	struct buf path = { 0 };
	const char *function;
	int ret = EXIT_OK;

	if (!strncmp(place, "tp:", 3) || !user_place_find(place, &path, &function)) {
		buf_printf(line, "%s", place);
	} else {
		ret = user_code_load(code, path.data);
		if (!ret)
			tell(place, function, code->path.data);
		if (!ret)
			ret = user_code_place(code, function, is_call, line);
		if (!ret)
			ret = note_identity(t, code->path.data, code->id.data);
	}
	buf_free(&path);
	return ret;
}

/*
 * The places of a marker, with the keys in parentheses that follow it, as points with the same
 * keys: each of its places has the arguments elsewhere. Without keys, "()" says that it is no
 * function.
 */
static int add_points(const char *real, const struct marker_places *found, const char *keys,
		      size_t len, struct marker_places *places, struct buf *line)
{
	int ret = user_place_check(real);
	size_t i;

	for (i = 0; i < found->nr && !ret; i++) {
		user_marker_places_add(places, found->item[i]);
		buf_printf(line, "%s%s:0x%" PRIx64, i ? "|" : "", real, found->item[i]->offset);
		if (found->item[i]->counter)
			buf_printf(line, "@0x%" PRIx64, found->item[i]->counter);
		ret = user_marker_point_keys(line, len ? keys : "()", len ? len : 2,
					     found->item[i]);
	}
	return ret;
}

static int translate_marker(struct target *t, const char *path, const char *place,
			    const char *marker, const char *keys, size_t len,
			    struct marker_places *places, struct buf *line)
{
	struct marker_places found = { .nr = 0 };
	const struct user_markers *markers;
	const char *real = NULL;
	int ret;

	markers = user_markers_of(&t->files, path, &real);
	if (!markers)
		return EXIT_ERROR;
	tell(place, marker, real);
	ret = user_marker_find(markers, real, marker, &found);
	if (!ret)
		ret = note_identity(t, real, user_markers_id(&t->files, real));
	return ret ? ret : add_points(real, &found, keys, len, places, line);
}

/* The length of the keys in parentheses at the beginning of a text. */
static size_t keys_length(const char *text, size_t len)
{
	size_t i = 0;
	int depth = 0;

	for (; i < len; i++) {
		depth += (text[i] == '(') - (text[i] == ')');
		if (!depth)
			return *text == '(' ? i + 1 : 0;
	}
	return len;
}

/* Translate a place and what follows it. *@is_end: it is behind the ".." of a span. */
static int translate_part(struct target *t, const char *at, size_t len, size_t more,
			  bool is_call, bool *is_end, struct buf *line)
{
	struct marker_places *places = *is_end ? &t->end : &t->begin;
	size_t keys = keys_length(at + len, more);
	struct buf place = { 0 }, path = { 0 };
	const char *name;
	int ret;

	buf_printf(&place, "%.*s", (int)len, at);
	if (strncmp(place.data, "tp:", 3) && user_place_find(place.data, &path, &name) &&
	    user_marker_is(name)) {
		ret = translate_marker(t, path.data, place.data, name, at + len, keys, places,
				       line);
	} else {
		user_marker_places_add(places, NULL);
		ret = translate_one(t, place.data, is_call, line);
		buf_printf(line, "%.*s", (int)keys, at + len);
	}
	buf_printf(line, "%.*s", (int)(more - keys), at + len + keys);
	*is_end |= more - keys == 2;
	buf_free(&place);
	buf_free(&path);
	return ret;
}

/* What follows the places of a target; @name is what it is called. */
static int finish(struct target *t, const char *given, const char *name, struct buf *line)
{
	struct buf options = { 0 };
	int ret = user_marker_options(&options, given, &t->begin, &t->end);

	if (!ret) {
		add_options(line, options.data ? options.data : "", name);
		add_identities(line, t);
	}
	buf_free(&options);
	return ret;
}

/* Translate a target that is no pattern. */
static int translate_all(struct target *t, const char *given, const char *name,
			 struct buf *line)
{
	size_t len = strcspn(given, " \t");
	const char *at = given;
	bool is_end = false;
	int ret = EXIT_OK;

	while (at < given + len && !ret) {
		size_t part = place_length(at), more = other_length(at + part);

		ret = translate_part(t, at, part, more, part == len, &is_end, line);
		at += part + more;
	}
	return ret ? ret : finish(t, given + len, name, line);
}

/* A marker that matches, by its number: what a file has for names is not read as a target. */
static int translate_match(struct target *t, const struct user_markers *markers, size_t first,
			   const char *real, const char *name, const char *options,
			   struct buf *line)
{
	struct marker_places found;
	int ret = user_marker_all(markers, first, real, name, &found);

	t->begin.nr = 0;
	if (!ret)
		ret = note_identity(t, real, user_markers_id(&t->files, real));
	if (!ret)
		ret = add_points(real, &found, NULL, 0, &t->begin, line);
	return ret ? ret : finish(t, options, name, line);
}

/* Each marker that matches is a target, whatever the number of its places. */
static int translate_marker_pattern(struct target *t, const char *given, size_t len,
				    const char *path, const char *pattern, user_target_fn add,
				    void *data)
{
	const char *real;
	const struct user_markers *markers = user_markers_of(&t->files, path, &real);
	int ret = markers ? EXIT_OK : EXIT_ERROR;
	size_t i, nr = 0, odd = 0, prefix = len - strlen(pattern);

	for (i = 0; !ret && i < markers->nr; i++) {
		const struct user_marker *one = &markers->item[i];
		struct buf name = { 0 }, line = { 0 };

		if (i && user_marker_is_same(one, one - 1))
			continue;
		buf_printf(&name, "%.*s%s:%s", (int)prefix, given, one->provider, one->name);
		if (fnmatch(pattern, name.data + prefix, 0))
			;
		else if (!user_marker_is_plain(one))
			odd++;
		else if (++nr <= TARGETS_MAX)
			ret = translate_match(t, markers, i, real, name.data, given + len, &line);
		if (!ret && line.len)
			add(data, line.data, true);
		buf_free(&name);
		buf_free(&line);
	}
	if (odd)
		msg_warn("'%s': %zu marker%s of %s left out with names that are no names of markers",
			 pattern, odd, plural(odd), real);
	if (!ret && !nr)
		ret = msg_error("no marker of %s matches '%s'", real, pattern);
	if (!ret && nr > TARGETS_MAX)
		ret = msg_error("'%s' matches %zu markers of %s, and at most %d can be watched by "
				"one pattern: give a narrower one", pattern, nr, real, TARGETS_MAX);
	return ret;
}

static int translate_matches(struct target *t, const char *given, size_t len, const char *path,
			     const char *name, const char *pattern, user_target_fn add,
			     void *data)
{
	int ret;

	if (user_marker_is(pattern))
		return translate_marker_pattern(t, given, len, path, pattern, add, data);
	ret = user_code_load(&t->code, path);
	if (!ret)
		tell(name, pattern, t->code.path.data);
	return ret ? ret : translate_pattern(&t->code, given, len, name, pattern, add, data);
}

int user_target_translate(const char *given, user_target_fn add, void *data)
{
	struct buf name = { 0 }, path = { 0 }, line = { 0 };
	struct target t = { .code = { .path = { 0 } } };
	size_t len = strcspn(given, " \t");
	const char *function;
	int ret;

	buf_printf(&name, "%.*s", (int)len, given);
	if (place_length(name.data) == len && user_place_find(name.data, &path, &function) &&
	    function_is_pattern(function)) {
		ret = translate_matches(&t, given, len, path.data, name.data, function, add, data);
	} else {
		ret = translate_all(&t, given, name.data, &line);
		if (!ret)
			add(data, line.data, false);
	}
	buf_free(&name);
	buf_free(&path);
	buf_free(&line);
	user_code_free(&t.code);
	user_marker_files_free(&t.files);
	while (t.nr_identities)
		free(t.identity[--t.nr_identities].path);
	return ret;
}
