// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_shorten.c - long names are shown by their two ends
 */
#include <string.h>

#include "lib/shorten.h"
#include "unit.h"

static void test_short(void)
{
	char name[SHORTEN_MAX];
	struct buf out = { 0 };

	memset(name, 'x', sizeof(name));
	shorten_add(&out, name, sizeof(name));
	CHECK_INT(out.len, SHORTEN_MAX);
	CHECK(!memcmp(out.data, name, sizeof(name)));
	buf_free(&out);
}

/* Two names that differ in their last bytes only are shown as two. */
static void test_ends(void)
{
	char name[2 * SHORTEN_MAX];
	struct buf out = { 0 };

	memset(name, 'x', sizeof(name));
	memcpy(name, "begin", 5);
	memcpy(name + sizeof(name) - 3, "end", 3);
	shorten_add(&out, name, sizeof(name));
	CHECK(out.len <= SHORTEN_MAX && out.len > SHORTEN_MAX - 4);
	CHECK(!memcmp(out.data, "beginx", 6));
	CHECK(!memcmp(out.data + out.len - 4, "xend", 4));
	CHECK(strstr(out.data, "x...x"));
	buf_free(&out);
}

/* No character is cut in two, wherever the cut falls. */
static void test_characters(void)
{
	struct buf name = { 0 }, out = { 0 };
	size_t shift, i;

	for (shift = 0; shift < 3; shift++) {
		name.len = 0;
		out.len = 0;
		buf_add(&name, "ab", shift);
		for (i = 0; i < SHORTEN_MAX; i++)
			buf_add(&name, "\xe2\x82\xac", 3);
		shorten_add(&out, name.data, name.len);
		for (i = shift; i + 2 < out.len && out.data[i] != '.'; i += 3)
			CHECK(!memcmp(out.data + i, "\xe2\x82\xac", 3));
		CHECK(!memcmp(out.data + i, "...\xe2\x82\xac", 6));
	}
	buf_free(&name);
	buf_free(&out);
}

static const struct unit_test tests[] = {
	{ "what is short stays as it is", test_short },
	{ "both ends are shown", test_ends },
	{ "characters stay whole", test_characters },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
