/* SPDX-License-Identifier: GPL-2.0-only */
/* bits.h - single bits, and words for many, for the host */
#ifndef KPROF_SHIM_BITS_H
#define KPROF_SHIM_BITS_H

#define BIT(nr)			(1UL << (nr))
#define BITS_PER_BYTE		8
#define BITS_TO_LONGS(nr)	(((nr) + 63) / 64)

#endif /* KPROF_SHIM_BITS_H */
