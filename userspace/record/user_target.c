// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_target.c - targets in programs and libraries, whose names become offsets in files
 *
 *	PLACE	FILE:FUNCTION[+0xOFFSET][%return] | FILE:0xOFFSET[%return]
 *	FILE	a path with a "/", or the name of a library
 *
 * The module takes offsets in files, as it does not read ELF.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/exit.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "record/user_target.h"
#include "symbols/functions.h"
#include "user/demangle.h"
#include "user/elf.h"
#include "user/library.h"

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

static bool is_kernel_module(const char *name)
{
	size_t len = strlen(name), line_len;
	struct buf text = { 0 };
	const char *at, *line;
	bool found = false;

	if (!buf_read_file(&text, "/proc/modules"))
		for (at = text.data; at && !found && buf_next_line(&at, &line, &line_len); )
			found = line_len > len && !strncmp(line, name, len) && line[len] == ' ';
	buf_free(&text);
	return found;
}

/* Split "FILE:FUNCTION", and find the file. Returns false if it is no place of user code. */
static bool find_file(const char *place, struct buf *path, const char **function)
{
	const char *slash = strrchr(place, '/'), *colon = strchr(slash ? slash : place, ':');
	struct buf cache = { 0 }, name = { 0 };
	bool found = true;

	if (!colon || colon == place || !colon[1])
		return false;
	*function = colon + 1;
	buf_printf(&name, "%.*s", (int)(colon - place), place);
	if (slash)
		buf_printf(path, "%s", name.data);
	else if (is_kernel_module(name.data) || buf_read_file(&cache, LIBRARY_CACHE))
		found = false;
	else
		found = library_find(&cache, name.data, path);
	buf_free(&cache);
	buf_free(&name);
	return found;
}

static bool is_offset(const char *function)
{
	return !strncmp(function, "0x", 2);
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
			find_file(place.data, &path, &function);
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

/* The functions of the file that was last asked for. */
struct code {
	struct buf path;
	struct user_functions functions;
};

static int load(struct code *code, const char *path)
{
	char *real = realpath(path, NULL);
	int fd;

	if (!real)
		return msg_error("'%s': %s", path, strerror(errno));
	if (code->path.len && !strcmp(code->path.data, real)) {
		free(real);
		return EXIT_OK;
	}
	buf_free(&code->path);
	user_functions_free(&code->functions);
	buf_printf(&code->path, "%s", real);
	free(real);
	fd = open(code->path.data, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return msg_error("'%s': %s", code->path.data, strerror(errno));
	user_elf_read(&code->functions, fd, code->path.data);
	close(fd);
	return EXIT_OK;
}

static int refuse_nameless(const struct code *code)
{
	if (!user_elf_is_possible())
		return msg_error("'%s': this kprof was built without libdw, and knows no names of "
				 "functions of programs; give %s:0xOFFSET",
				 code->path.data, code->path.data);
	return msg_error("'%s' has no functions with names: it is no program or library, or is "
			 "stripped; install its debug symbols, or give %s:0xOFFSET",
			 code->path.data, code->path.data);
}

/* Is it the name of a function: as it is, without a version, or demangled without arguments? */
static bool is_name(const char *function, const char *name, size_t len)
{
	struct buf plain = { 0 };
	bool equal;

	if (!strncmp(function, name, len) && (!function[len] || function[len] == '@'))
		return true;
	if (strncmp(function, "_Z", 2) && strncmp(function, "_R", 2) && strncmp(function, "_D", 2))
		return false;
	user_demangle(&plain, function);
	equal = plain.len > len && !strncmp(plain.data, name, len) && plain.data[len] == '(';
	buf_free(&plain);
	return equal;
}

static int refuse_several(const struct code *code, const char *name, size_t len, uint64_t first,
			  uint64_t second)
{
	const char *path = code->path.data;

	return msg_error("'%.*s': %s has several functions of that name; give one of them as "
			 "%s:0x%" PRIx64 " or %s:0x%" PRIx64,
			 (int)len, name, path, path, first, path, second);
}

static int find_function(const struct code *code, const char *name, size_t len, uint64_t *offset)
{
	bool found = false, is_chosen = false;
	size_t i;

	for (i = 0; i < code->functions.nr; i++) {
		const struct user_function *one = &code->functions.item[i];

		if (!is_name(one->name, name, len))
			continue;
		if (found && *offset != one->start)
			return refuse_several(code, name, len, *offset, one->start);
		found = true;
		is_chosen |= one->is_chosen;
		*offset = one->start;
	}
	if (!code->functions.nr)
		return refuse_nameless(code);
	if (!found)
		return msg_error("'%.*s': no such function in %s, which has %zu with names",
				 (int)len, name, code->path.data, code->functions.nr);
	if (is_chosen)
		return msg_error("'%.*s': %s chooses one of several functions for it when a "
				 "program starts (IFUNC); give that one, such as '*%.*s*' finds",
				 (int)len, name, code->path.data, (int)len, name);
	return EXIT_OK;
}

/*
 * The return of a function can only be watched from its first instruction: elsewhere the kernel
 * would overwrite something that is no return address, and the program would crash.
 */
static int check_entry(const struct code *code, const char *function, uint64_t offset)
{
	size_t i;

	for (i = 0; i < code->functions.nr; i++)
		if (code->functions.item[i].start == offset)
			return EXIT_OK;
	if (!code->functions.nr)
		return EXIT_OK;
	return msg_error("'%s': no function begins at 0x%" PRIx64 " of %s, so no return from there "
			 "can be watched; with () after it, it is counted how often that place is "
			 "passed", function, offset, code->path.data);
}

/* Decimal, or hexadecimal after "0x"; *text goes on behind it. */
static bool take_offset(const char **text, uint64_t *value)
{
	const char *digits = *text + 2;

	if (strncmp(*text, "0x", 2))
		return number_take(text, NUMBER_DECIMAL, value);
	if (!number_take(&digits, NUMBER_HEX, value))
		return false;
	*text = digits;
	return true;
}

/* "FUNCTION[+0xOFFSET][%return]" as "/PATH:0xOFFSET[%return]". @is_call: its return is watched. */
static int translate_place(struct code *code, const char *function, bool is_call, struct buf *line)
{
	const char *rest = function + strcspn(function, "+%@");
	uint64_t offset = 0, more = 0;
	bool is_number = true;
	int ret = EXIT_OK;

	if (is_offset(function)) {
		rest = function;
		is_number = take_offset(&rest, &offset);
	} else {
		ret = find_function(code, function, rest - function, &offset);
		if (!ret && *rest == '+' && rest++)
			is_number = take_offset(&rest, &more);
	}
	if (ret)
		return ret;
	if (!is_number || offset + more < offset || (*rest && !strchr("%@", *rest)))
		return msg_usage("'%s': not an offset; give it as 0x1234 or name+0x12",
				 function);
	if (is_call || strstr(rest, "%return"))
		ret = check_entry(code, function, offset + more);
	buf_printf(line, "%s:0x%" PRIx64 "%s", code->path.data, offset + more, rest);
	return ret;
}

/* Say once for each library which file was taken. */
static void tell(const char *place, const char *function, const struct code *code)
{
	static char told[PATH_MAX];

	if (strchr(place, '/') || !strcmp(told, code->path.data))
		return;
	snprintf(told, sizeof(told), "%s", code->path.data);
	msg_warn("%.*s is %s", (int)(function - place - 1), place, code->path.data);
}

/* Options, and the name that was given, unless there is one. */
static void add_options(struct buf *line, const char *given, size_t len, const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/@+%";

	buf_printf(line, "%s", given + len);
	if (!strstr(given + len, " as=") && strspn(name, letters) == strlen(name) &&
	    strncmp(line->data, name, strlen(name)))
		buf_printf(line, " as=%s", name);
}

static bool is_taken(const uint64_t *taken, size_t nr, uint64_t start)
{
	size_t i;

	for (i = 0; i < nr && i < TARGETS_MAX; i++)
		if (taken[i] == start)
			return true;
	return false;
}

static int translate_pattern(struct code *code, const char *given, size_t len, const char *place,
			     const char *pattern, user_target_fn add, void *data)
{
	uint64_t taken[TARGETS_MAX];
	size_t i, nr = 0, chosen = 0;

	for (i = 0; i < code->functions.nr; i++) {
		const struct user_function *one = &code->functions.item[i];
		struct buf line = { 0 }, name = { 0 };

		/* Of several names that match, the first is taken. */
		buf_printf(&name, "%.*s%.*s", (int)(pattern - place), place,
			   (int)strcspn(one->name, "@"), one->name);
		if (!fnmatch(pattern, name.data + (pattern - place), 0) &&
		    !is_taken(taken, nr, one->start)) {
			chosen += one->is_chosen;
			if (!one->is_chosen && nr < TARGETS_MAX) {
				taken[nr] = one->start;
				buf_printf(&line, "%s:0x%" PRIx64, code->path.data, one->start);
				add_options(&line, given, len, name.data);
				add(data, line.data, true);
			}
			nr += !one->is_chosen;
		}
		buf_free(&name);
		buf_free(&line);
	}
	if (!code->functions.nr)
		return refuse_nameless(code);
	if (!nr)
		return msg_error("no function of %s matches '%s'", code->path.data, pattern);
	if (nr > TARGETS_MAX)
		return msg_error("'%s' matches %zu functions of %s, and at most %d can be watched "
				 "by one pattern: give a narrower one", pattern, nr,
				 code->path.data, TARGETS_MAX);
	if (chosen)
		msg_warn("'%s': left out are %zu functions that are chosen when a program starts "
			 "(IFUNC)", pattern, chosen);
	return EXIT_OK;
}

/* Translate one place, or copy it if it is of the kernel. */
static int translate_one(struct code *code, const char *place, bool is_call, struct buf *line)
{
	struct buf path = { 0 };
	const char *function;
	int ret = EXIT_OK;

	if (!strncmp(place, "tp:", 3) || !find_file(place, &path, &function)) {
		buf_printf(line, "%s", place);
	} else {
		ret = load(code, path.data);
		if (!ret)
			tell(place, function, code);
		if (!ret)
			ret = translate_place(code, function, is_call, line);
	}
	buf_free(&path);
	return ret;
}

static int translate_all(struct code *code, const char *given, size_t len, struct buf *line)
{
	const char *at = given;
	int ret = EXIT_OK;

	while (at < given + len && !ret) {
		struct buf place = { 0 };
		size_t part = place_length(at);

		buf_printf(&place, "%.*s", (int)part, at);
		ret = translate_one(code, place.data, part == len, line);
		buf_free(&place);
		at += part;
		part = other_length(at);
		buf_printf(line, "%.*s", (int)part, at);
		at += part;
	}
	return ret;
}

int user_target_translate(const char *given, user_target_fn add, void *data)
{
	struct buf name = { 0 }, path = { 0 }, line = { 0 };
	size_t len = strcspn(given, " \t");
	struct code code = { .path = { 0 } };
	const char *function;
	int ret;

	buf_printf(&name, "%.*s", (int)len, given);
	if (place_length(name.data) == len && find_file(name.data, &path, &function) &&
	    function_is_pattern(function)) {
		ret = load(&code, path.data);
		if (!ret)
			tell(name.data, function, &code);
		if (!ret)
			ret = translate_pattern(&code, given, len, name.data, function, add, data);
	} else {
		ret = translate_all(&code, given, len, &line);
		if (!ret) {
			add_options(&line, given, len, name.data);
			add(data, line.data, false);
		}
	}
	buf_free(&name);
	buf_free(&path);
	buf_free(&line);
	buf_free(&code.path);
	user_functions_free(&code.functions);
	return ret;
}
