// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_octal.c - bytes of paths that files of the kernel have as \ooo
 */
#include "lib/escape.h"
#include "unit.h"

static void check(const char *text, const char *expected)
{
	char line[64];

	snprintf(line, sizeof(line), "%s", text);
	escape_undo_octal(line);
	CHECK_STR(line, expected);
}

static void test_bytes(void)
{
	check("/a\\040b\\134\\012", "/a b\\\n");
	check("\\377", "\377");
	check("", "");
}

/* Three octal digits, of a byte: else it is a text that nobody has escaped. */
static void test_others(void)
{
	check("\\", "\\");
	check("\\04", "\\04");
	check("\\400", "\\400");
	check("\\08a", "\\08a");
	check("\\0\2557", "\\0\2557");
	check("\\0\\040", "\\0 ");
}

static const struct unit_test tests[] = {
	{ "bytes", test_bytes },
	{ "what is none", test_others },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
