/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * translated.h - what targets in this program become, for tests of that
 */
#ifndef TESTS_TRANSLATED_H
#define TESTS_TRANSLATED_H

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "lib/buf.h"
#include "record/user_target.h"
#include "unit.h"

/* The path of this program. */
static char self[4096];

/* Where it is in this program's file; 0 if it is nowhere there. */
static unsigned long offset_of(const void *place)
{
	unsigned long start, end, offset, at = (unsigned long)place, found = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[8192];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 &&
		    at >= start && at < end)
			found = at - start + offset;
	if (maps)
		fclose(maps);
	return found;
}

/* What a target says of the file that it was read from: it is this program. */
static void check_identity(const char *line)
{
	const char *id = strstr(line, " file=");
	struct buf expected = { 0 };
	struct stat st;

	if (!strstr(line, ":0x"))
		return;
	CHECK(id && !stat(self, &st));
	buf_printf(&expected, " file=%u:%u:%lu:%lu:%lu%09lu", major(st.st_dev), minor(st.st_dev),
		   (unsigned long)st.st_ino, (unsigned long)st.st_size,
		   (unsigned long)st.st_ctim.tv_sec, (unsigned long)st.st_ctim.tv_nsec);
	CHECK_STR(id ? id : "", expected.data);
	buf_free(&expected);
}

static void add(void *data, const char *line, bool is_match)
{
	check_identity(line);
	buf_printf(data, "%s%.*s\n", is_match ? "match " : "",
		   (int)(strstr(line, " file=") ? (size_t)(strstr(line, " file=") - line) :
			 strlen(line)), line);
}

/* What becomes of FORMAT, in which %s is this program; "refused" if it is refused. */
static void expect(const char *format, const char *expected)
{
	struct buf given = { 0 }, lines = { 0 };

	buf_printf(&given, format, self, self);
	CHECK(user_target_is(given.data));
	if (user_target_translate(given.data, add, &lines)) {
		buf_free(&lines);
		buf_printf(&lines, "refused");
	}
	CHECK_STR(lines.data, expected);
	buf_free(&given);
	buf_free(&lines);
}

#endif /* TESTS_TRANSLATED_H */
