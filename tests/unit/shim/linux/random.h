/* SPDX-License-Identifier: GPL-2.0-only */
/* random.h - numbers by chance, for the host: those that a test gives */
#ifndef KPROF_SHIM_RANDOM_H
#define KPROF_SHIM_RANDOM_H

#include <linux/types.h>

static u64 shim_random = 0x243f6a8885a308d3;

static inline u64 get_random_u64(void)
{
	return shim_random;
}

#endif /* KPROF_SHIM_RANDOM_H */
