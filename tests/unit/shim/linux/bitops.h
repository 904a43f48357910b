/* SPDX-License-Identifier: GPL-2.0-only */
/* bitops.h - bits of a word, for the host */
#ifndef KPROF_SHIM_BITOPS_H
#define KPROF_SHIM_BITOPS_H

#include <linux/types.h>

static inline u64 rol64(u64 word, unsigned int shift)
{
	return word << (shift & 63) | word >> (-shift & 63);
}

/* The last bit set, counted from 0; there is one. */
static inline unsigned long __fls(u64 x)
{
	return 63 - __builtin_clzll(x);
}

#endif /* KPROF_SHIM_BITOPS_H */
