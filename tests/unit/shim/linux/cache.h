/* SPDX-License-Identifier: GPL-2.0-only */
/* cache.h - cache lines, for the host */
#ifndef KPROF_SHIM_CACHE_H
#define KPROF_SHIM_CACHE_H

#define ____cacheline_aligned_in_smp	__attribute__((aligned(64)))
#define __read_mostly

#endif /* KPROF_SHIM_CACHE_H */
