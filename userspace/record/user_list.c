// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_list.c - lists the functions and the markers (USDT) of a program or a library
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/exit.h"
#include "lib/msg.h"
#include "record/user_function.h"
#include "record/user_list.h"
#include "record/user_marker.h"
#include "record/user_place.h"
#include "symbols/functions.h"

bool user_list_is(const char *pattern)
{
	struct buf path = { 0 };
	const char *rest;
	bool found = strncmp(pattern, "tp:", 3) && user_place_find(pattern, &path, &rest);

	buf_free(&path);
	return found;
}

static bool matches(const char *name, const char *pattern)
{
	return function_is_pattern(pattern) ? !fnmatch(pattern, name, 0) : !!strstr(name, pattern);
}

static int none(const char *path, const char *pattern, const char *what)
{
	return msg_error("no %s of %s matches '%s'", what, path, pattern);
}

/* @file: "FILE:", as the user wrote it */
static int list_functions(const char *path, const char *file, const char *pattern)
{
	struct user_code code = { .path = { 0 } };
	int ret = user_code_load(&code, path);
	size_t i, nr = 0;

	for (i = 0; i < code.functions.nr && !ret; i++) {
		const struct user_function *one = &code.functions.item[i];
		struct buf name = { 0 };

		buf_printf(&name, "%s%.*s", file, (int)strcspn(one->name, "@"), one->name);
		if (!one->is_chosen && !function_is_cold_part(one->name) &&
		    matches(name.data + strlen(file), pattern)) {
			nr++;
			escape_print(name.data, stdout);
			putchar('\n');
		}
		buf_free(&name);
	}
	if (!ret && !code.functions.nr)
		ret = user_code_nameless(&code);
	else if (!ret && !nr)
		ret = none(path, pattern, "function");
	user_code_free(&code);
	return ret;
}

/* "$arg1 s32, $arg2 u64"; "-" is what the module has no key for. */
static void print_arguments(const struct user_marker *marker)
{
	struct user_marker_argument arg;
	struct buf text = { 0 }, why = { 0 };
	unsigned int i, nr = user_marker_nr_arguments(marker);

	for (i = 1; i <= nr && i <= 9; i++, buf_free(&why)) {
		bool is_key = user_marker_argument(marker, i, &arg, &why);

		buf_printf(&text, "%s$arg%u %s", i > 1 ? ", " : "", i, is_key ? arg.type : "-");
	}
	if (text.len)
		printf("\t%s", text.data);
	buf_free(&text);
	buf_free(&why);
}

/* Its number, if there are several places of that name; else 0. */
static size_t number_of(const struct user_markers *markers, size_t i, size_t before)
{
	const struct user_marker *one = &markers->item[i];

	if (i && user_marker_is_same(one, one - 1))
		return before + 1;
	return i + 1 < markers->nr && user_marker_is_same(one, one + 1);
}

static int list_markers(const char *path, const char *file, const char *pattern, bool is_bare)
{
	struct marker_files files = { .nr = 0 };
	const char *real;
	const struct user_markers *markers = user_markers_of(&files, path, &real);
	size_t i, nr = 0, number = 0;
	int ret = markers ? EXIT_OK : EXIT_ERROR;

	for (i = 0; !ret && i < markers->nr; i++) {
		struct buf name = { 0 };

		buf_printf(&name, "%s%s:%s", file, markers->item[i].provider,
			   markers->item[i].name);
		number = number_of(markers, i, number);
		if (matches(name.data + strlen(file), pattern)) {
			nr++;
			if (number)
				buf_printf(&name, "@%zu", number);
			escape_print(name.data, stdout);
			if (!is_bare)
				print_arguments(&markers->item[i]);
			putchar('\n');
		}
		buf_free(&name);
	}
	if (!ret && !nr)
		ret = markers->nr ? none(path, pattern, "marker") :
				    user_marker_find(markers, path, pattern,
						     &(struct marker_places){ .nr = 0 });
	user_marker_files_free(&files);
	return ret;
}

int user_list(const char *pattern, bool is_bare)
{
	struct buf path = { 0 }, file = { 0 };
	const char *rest = "";
	int ret;

	user_place_find(pattern, &path, &rest);
	buf_printf(&file, "%.*s", (int)(rest - pattern), pattern);
	ret = user_marker_is(rest) ? list_markers(path.data, file.data, rest, is_bare) :
				     list_functions(path.data, file.data, rest);
	buf_free(&path);
	buf_free(&file);
	return ret;
}
