/* SPDX-License-Identifier: GPL-2.0-only */
/* stringhash.h - the hash of a text, for the host */
#ifndef KPROF_SHIM_STRINGHASH_H
#define KPROF_SHIM_STRINGHASH_H

#include <linux/types.h>

/* So poor that a test has many equal hashes. */
static inline u32 full_name_hash(const void *salt, const char *text, u32 length)
{
	u32 hash = 0, i;

	(void)salt;
	for (i = 0; i < length; i++)
		hash = 31 * hash + (unsigned char)text[i];
	return hash % 3000 * 2654435761u;
}

#endif /* KPROF_SHIM_STRINGHASH_H */
