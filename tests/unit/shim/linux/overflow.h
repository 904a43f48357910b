/* SPDX-License-Identifier: GPL-2.0-only */
/* overflow.h - struct_size(), for the host */
#ifndef KPROF_SHIM_OVERFLOW_H
#define KPROF_SHIM_OVERFLOW_H

#include <linux/slab.h>

#endif /* KPROF_SHIM_OVERFLOW_H */
