/* SPDX-License-Identifier: GPL-2.0-only */
/* mm.h - kvcalloc() and kvfree(), for the host */
#ifndef KPROF_SHIM_MM_H
#define KPROF_SHIM_MM_H

#include <linux/slab.h>

#endif /* KPROF_SHIM_MM_H */
