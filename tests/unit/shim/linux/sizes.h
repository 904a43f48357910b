/* SPDX-License-Identifier: GPL-2.0-only */
/* sizes.h - sizes in bytes, for the host */
#ifndef KPROF_SHIM_SIZES_H
#define KPROF_SHIM_SIZES_H

#define SZ_1M	0x100000

#endif /* KPROF_SHIM_SIZES_H */
