// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_function.c - names of functions in programs and libraries become offsets in their files
 */
#include <errno.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/exit.h"
#include "lib/file_id.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "record/user_function.h"
#include "record/user_place.h"
#include "symbols/named.h"
#include "user/demangle.h"
#include "user/elf.h"

static bool is_offset(const char *function)
{
	return !strncmp(function, "0x", 2);
}

int user_code_load(struct user_code *code, const char *path)
{
	char *real = realpath(path, NULL);
	const char *why;
	struct stat st;
	int fd;

	if (!real)
		return msg_error("'%s': %s", path, strerror(errno));
	if (code->path.len && !strcmp(code->path.data, real)) {
		free(real);
		return EXIT_OK;
	}
	user_code_free(code);
	buf_printf(&code->path, "%s", real);
	free(real);
	fd = input_regular_fd(code->path.data, &why);
	if (fd < 0)
		return msg_error("'%s': %s", code->path.data, why);
	if (!fstat(fd, &st))
		file_id_add(&code->id, &st);
	user_elf_read(&code->functions, fd, code->path.data, false);
	close(fd);
	return EXIT_OK;
}

void user_code_free(struct user_code *code)
{
	buf_free(&code->path);
	buf_free(&code->id);
	user_functions_free(&code->functions);
}

int user_code_nameless(const struct user_code *code)
{
	if (!user_elf_is_possible())
		return msg_error("'%s': this kprof was built without libdw, and knows no names of "
				 "functions of programs; give %s:0xOFFSET",
				 code->path.data, code->path.data);
	return msg_error("'%s' has no functions with names: it is no program or library, or is "
			 "stripped; install its debug symbols, or give %s:0xOFFSET",
			 code->path.data, code->path.data);
}

/*
 * To demangle all names of a program takes seconds. A mangled name has each identifier as it is,
 * so also the last one of @name, unless that is no plain one, or an operator.
 */
static bool may_be(const char *function, const char *name, size_t len)
{
	size_t first = len;

	while (first && (isalnum((unsigned char)name[first - 1]) || name[first - 1] == '_'))
		first--;
	return memmem(name, len, "operator", 8) ||
	       memmem(function, strlen(function), name + first, len - first);
}

/* Is it the name of a function: as it is, without a version, or readable, without parameters? */
static bool is_name(const char *function, const char *name, size_t len)
{
	struct buf plain = { 0 }, wanted = { 0 };
	bool equal;

	if (!strncmp(function, name, len) && (!function[len] || function[len] == '@'))
		return true;
	if (!user_is_mangled(function) || !may_be(function, name, len))
		return false;
	user_demangle(&plain, function);
	buf_printf(&wanted, "%.*s", (int)len, name);
	/* What is written in Rust has no parameters in its name. */
	equal = !strcmp(plain.data, wanted.data) || named_fits(plain.data, wanted.data);
	buf_free(&plain);
	buf_free(&wanted);
	return equal;
}

static int refuse_several(const struct user_code *code, const char *name, size_t len,
			  uint64_t first, uint64_t second)
{
	const char *path = code->path.data;

	return msg_error("'%.*s': %s has several functions of that name; give one of them as "
			 "%s:0x%" PRIx64 " or %s:0x%" PRIx64,
			 (int)len, name, path, path, first, path, second);
}

static int find_function(const struct user_code *code, const char *name, size_t len,
			 uint64_t *offset)
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
		return user_code_nameless(code);
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
static int check_entry(const struct user_code *code, const char *function, uint64_t offset)
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

int user_code_place(const struct user_code *code, const char *function, bool is_call,
		    struct buf *line)
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
	ret = user_place_check(code->path.data);
	if (!ret && (is_call || strstr(rest, "%return")))
		ret = check_entry(code, function, offset + more);
	buf_printf(line, "%s:0x%" PRIx64 "%s", code->path.data, offset + more, rest);
	return ret;
}
