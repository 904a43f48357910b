/* SPDX-License-Identifier: GPL-2.0-only */
/* overflow.h - struct_size() and checked arithmetic, for the host */
#ifndef KPROF_SHIM_OVERFLOW_H
#define KPROF_SHIM_OVERFLOW_H

#include <linux/slab.h>

#define check_add_overflow(a, b, d)	__builtin_add_overflow(a, b, d)
#define check_mul_overflow(a, b, d)	__builtin_mul_overflow(a, b, d)

#endif /* KPROF_SHIM_OVERFLOW_H */
