// SPDX-License-Identifier: GPL-2.0-only
/*
 * compiler_clone.c - the names that a compiler gives to copies of one function
 */
#include <ctype.h>
#include <string.h>

#include "data/compiler_clone.h"
#include "lib/scan.h"

#define RUST_HASH	16	/* digits */

/* The length of a name without "::h" and its digits. */
static size_t without_rust_hash(const char *name, size_t len)
{
	size_t digits = len;

	while (digits && len - digits < RUST_HASH && isxdigit((unsigned char)name[digits - 1]))
		digits--;
	return len - digits == RUST_HASH && digits > 3 && scan_ends(name, digits, "::h") ?
	       digits - 3 : len;
}

/* The length of a name without ".constprop.0" and the like. */
static size_t without_suffix(const char *name, size_t len)
{
	static const char *const suffixes[] = {
		".constprop.", ".isra.", ".llvm.", ".lto_priv.", ".__uniq.",
	};
	size_t digits = len, i;

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	for (i = 0; digits < len && i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (digits > strlen(suffixes[i]) && scan_ends(name, digits, suffixes[i]))
			return digits - strlen(suffixes[i]);
	return len;
}

/* The length of "crunch.part.0" without the number, which may be another one in each build. */
static size_t without_number(const char *name, size_t len)
{
	size_t digits = len;

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	if (digits == len ||
	    !(scan_ends(name, digits, ".part.") || scan_ends(name, digits, ".cold.")))
		return len;
	return digits - 1;
}

/* Where the name of the function ends, and a module, an offset or an annotation begins. */
static size_t end_of_function(const char *name, size_t len)
{
	const char *module = memmem(name, len, " [", 2), *note = memmem(name, len, "_[", 2);
	const char *offset = memmem(name, len, "+0x", 3), *end = name + len;

	if (module && module < end)
		end = module;
	if (note && note < end)
		end = note;
	if (offset && offset < end)
		end = offset;
	return end - name;
}

bool compiler_clone_of(const char *name, size_t len, struct buf *function)
{
	size_t end = end_of_function(name, len), base = end, last;

	base = without_number(name, base);
	do {
		last = base;
		base = without_rust_hash(name, without_suffix(name, base));
	} while (base < last);
	if (base == end)
		return false;
	function->len = 0;
	buf_add(function, name, base);
	buf_add(function, name + end, len - end);
	return true;
}
