/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * translated.h - what targets in this program become, for tests of that
 */
#ifndef TESTS_TRANSLATED_H
#define TESTS_TRANSLATED_H

#include <stdio.h>

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

static void add(void *data, const char *line, bool is_match)
{
	buf_printf(data, "%s%s\n", is_match ? "match " : "", line);
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
