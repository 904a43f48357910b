/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * called_arm64.h - which instructions leave a return address on arm64
 *
 * Code is taken as numbers that are read from memory: the instruction at the lower address is the
 * lower half of the number.
 */
#ifndef KPROF_CALLED_ARM64_H
#define KPROF_CALLED_ARM64_H

#include <linux/types.h>

/* Where the cache has a place: all instructions have 4 bytes. */
#define KPROF_CALLED_ALIGN_BITS	2

/* Is the instruction before the return address a call? */
static inline bool kprof_called_is_before(u64 before, bool is_32)
{
	u32 code = before >> 32;

	(void)is_32;
	return (code & 0xfc000000) == 0x94000000 ||	/* bl */
	       (code & 0xfffffc1f) == 0xd63f0000 ||	/* blr */
	       (code & 0xfffff81f) == 0xd63f081f ||	/* blraaz, blrabz */
	       (code & 0xfffff800) == 0xd73f0800;	/* blraa, blrab */
}

/* Does the code at an address end a signal handler? The kernel makes handlers return there. */
static inline bool kprof_called_is_sigreturn(u64 code, bool is_32)
{
	(void)is_32;
	return code == 0xd4000001d2801168ull;	/* mov x8,#139; svc #0 */
}

/*
 * Go begins a stack with a return address behind the first instruction of a function of its own,
 * which is mov x0,x0. A call follows.
 */
static inline bool kprof_called_is_start(u64 before, u64 code)
{
	return before >> 32 == 0xaa0003e0 && (code & 0xfc000000) == 0x94000000;
}

#endif /* KPROF_CALLED_ARM64_H */
