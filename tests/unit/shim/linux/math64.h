/* SPDX-License-Identifier: GPL-2.0-only */
/* math64.h - divisions of 64 bits, for the host */
#ifndef KPROF_SHIM_MATH64_H
#define KPROF_SHIM_MATH64_H

#include <linux/types.h>

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (__uint128_t)a * b / c;
}

#endif /* KPROF_SHIM_MATH64_H */
