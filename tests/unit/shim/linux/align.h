/* SPDX-License-Identifier: GPL-2.0-only */
/* align.h - multiples of a power of two, for the host */
#ifndef KPROF_SHIM_ALIGN_H
#define KPROF_SHIM_ALIGN_H

#define PTR_ALIGN_DOWN(p, size)	((__typeof__(p))((unsigned long)(p) & ~((size) - 1)))

#endif /* KPROF_SHIM_ALIGN_H */
