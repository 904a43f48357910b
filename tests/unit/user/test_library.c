// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_library.c - libraries by name, in a cache as ldconfig writes it, and in broken ones
 */
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "user/library.h"

#ifdef __x86_64__
#define OURS	0x0303
#else
#define OURS	0x0a03
#endif

#define STRINGS	"libc.so.6\0/lib/libc.so.6\0libcx.so.1\0/lib/libcx.so.1\0/lib32/libc.so.6"

struct entry {
	int32_t flags;
	uint32_t name, path, os;
	uint64_t hwcap;
};

/* A cache of these entries; offsets in them are those in STRINGS. */
static void make(struct buf *cache, const struct entry *entry, uint32_t nr)
{
	uint32_t header[7] = { nr, sizeof(STRINGS) }, i;
	uint32_t strings = 48 + nr * sizeof(*entry);

	buf_add(cache, "glibc-ld.so.cache1.1", 20);
	buf_add(cache, header, sizeof(header));
	for (i = 0; i < nr; i++) {
		struct entry one = entry[i];

		one.name += strings;
		one.path += strings;
		buf_add(cache, &one, sizeof(one));
	}
	buf_add(cache, STRINGS, sizeof(STRINGS));
}

static const struct entry entries[] = {
	{ 0x0003, 0, 52, 0, 0 },	/* for 32-bit programs */
	{ OURS, 0, 52, 0, 1 },		/* for certain processors */
	{ OURS, 25, 36, 0, 0 },
	{ OURS, 0, 10, 0, 0 },
};

static void expect(const struct buf *cache, const char *name, const char *path)
{
	struct buf found = { 0 };

	CHECK_INT(library_find(cache, name, &found), !!path);
	CHECK_STR(found.len ? found.data : "", path ? path : "");
	buf_free(&found);
}

static void test_names(void)
{
	struct buf cache = { 0 };

	expect(&cache, "libc", NULL);
	make(&cache, entries, 4);
	expect(&cache, "libc", "/lib/libc.so.6");
	expect(&cache, "libc.so.6", "/lib/libc.so.6");
	expect(&cache, "libc.so", NULL);
	expect(&cache, "libcx", "/lib/libcx.so.1");
	expect(&cache, "lib", NULL);
	expect(&cache, "", NULL);
	buf_free(&cache);
}

/* Cut at any place, and with numbers that lead anywhere: ASan would see it. */
static void test_broken(void)
{
	const struct entry wild[] = {
		{ OURS, 0xfffffff0, 10, 0, 0 }, { OURS, 0, 0xffffff00, 0, 0 },
		{ OURS, 0, sizeof(STRINGS), 0, 0 },
	};
	struct buf cache = { 0 }, found = { 0 };
	size_t len;

	make(&cache, entries, 4);
	for (len = 0; len < cache.len; len++) {
		struct buf part = { .data = malloc(len ? len : 1), .len = len };

		memcpy(part.data, cache.data, len);
		library_find(&part, "libc", &found);
		library_find(&part, "libcx", &found);
		free(part.data);
	}
	buf_free(&cache);
	make(&cache, wild, 3);
	expect(&cache, "libc", NULL);
	memset(cache.data + 20, 0xff, 4);
	expect(&cache, "libc", NULL);
	buf_free(&cache);
	buf_free(&found);
}

static const struct unit_test tests[] = {
	{ "a library by its name", test_names },
	{ "broken caches", test_broken },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
