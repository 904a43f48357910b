// SPDX-License-Identifier: GPL-2.0-only
/*
 * library.c - find a shared library by its name, in the cache of the dynamic linker
 *
 * The cache is written by ldconfig. It has an entry for each library, which refers to two strings:
 * the name, and the path.
 */
#include <stdint.h>
#include <string.h>

#include "user/library.h"

#define MAGIC	"glibc-ld.so.cache1.1"

/* Whose programs use a library: the architecture is in the upper byte. */
#ifdef __x86_64__
#define FLAGS	0x0303
#else
#define FLAGS	0x0a03
#endif

struct header {
	char magic[20];
	uint32_t nr;
	uint32_t strings;
	uint32_t unused[5];
};

struct entry {
	int32_t flags;
	uint32_t name;
	uint32_t path;
	uint32_t os;
	uint64_t hwcap;		/* only for processors with certain features */
};

/* The string at an offset; NULL if it does not end within the cache. */
static const char *string_at(const char *cache, size_t len, uint32_t at)
{
	return at < len && memchr(cache + at, '\0', len - at) ? cache + at : NULL;
}

/* Is "libc.so.6" what "libc", or "libc.so.6", means? */
static bool is_meant(const char *library, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(library, name, len))
		return false;
	library += len;
	return !*library || (!strncmp(library, ".so", 3) && (!library[3] || library[3] == '.'));
}

bool library_find(const struct buf *cache, const char *name, struct buf *path)
{
	const char *start = NULL;
	struct header header;
	struct entry entry;
	uint32_t i;
	size_t len;

	if (cache->len)
		start = memmem(cache->data, cache->len, MAGIC, strlen(MAGIC));
	if (!start || !*name)
		return false;
	len = cache->len - (start - cache->data);
	if (len < sizeof(header))
		return false;
	memcpy(&header, start, sizeof(header));
	for (i = 0; i < header.nr && i < (len - sizeof(header)) / sizeof(entry); i++) {
		const char *library, *at;

		memcpy(&entry, start + sizeof(header) + i * sizeof(entry), sizeof(entry));
		library = string_at(start, len, entry.name);
		at = string_at(start, len, entry.path);
		if (entry.flags != FLAGS || entry.hwcap || !library || !at ||
		    !is_meant(library, name))
			continue;
		buf_printf(path, "%s", at);
		return true;
	}
	return false;
}
