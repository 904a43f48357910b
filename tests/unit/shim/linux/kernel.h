/* SPDX-License-Identifier: GPL-2.0-only */
/* kernel.h - what the kernel has everywhere, for the host */
#ifndef KPROF_SHIM_KERNEL_H
#define KPROF_SHIM_KERNEL_H

#include <linux/minmax.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define DIV_ROUND_UP(n, divisor)	(((n) + (divisor) - 1) / (divisor))

#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - offsetof(type, member)))

#define swap(a, b) \
	({ __typeof__(a) a_ = (a); (a) = (b); (b) = a_; })

#endif /* KPROF_SHIM_KERNEL_H */
