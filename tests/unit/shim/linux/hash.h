/* SPDX-License-Identifier: GPL-2.0-only */
/* hash.h - the hash of a number, for the host */
#ifndef KPROF_SHIM_HASH_H
#define KPROF_SHIM_HASH_H

#include <linux/types.h>

#define GOLDEN_RATIO_64	0x61C8864680B583EBULL

static inline u32 hash_64(u64 value, unsigned int bits)
{
	return value * GOLDEN_RATIO_64 >> (64 - bits);
}

static inline u32 hash_long(unsigned long value, unsigned int bits)
{
	return hash_64(value, bits);
}

static inline u32 hash_ptr(const void *pointer, unsigned int bits)
{
	return hash_64((unsigned long)pointer, bits);
}

#endif /* KPROF_SHIM_HASH_H */
