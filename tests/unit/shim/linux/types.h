/* SPDX-License-Identifier: GPL-2.0-only */
/* types.h - the kernel's names of types, for the host */
#ifndef KPROF_SHIM_TYPES_H
#define KPROF_SHIM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include_next <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#define U64_MAX		(~0ULL)
#define U16_MAX	((u16)~0U)
#define U32_MAX		((u32)~0U)

#define __percpu

struct hlist_node {
	struct hlist_node *next, **pprev;
};

#endif /* KPROF_SHIM_TYPES_H */
