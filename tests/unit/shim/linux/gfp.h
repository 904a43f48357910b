/* SPDX-License-Identifier: GPL-2.0-only */
/* gfp.h - how memory is to be found, for the host, which has it */
#ifndef KPROF_SHIM_GFP_H
#define KPROF_SHIM_GFP_H

#define GFP_KERNEL		0
#define GFP_KERNEL_ACCOUNT	0
#define __GFP_NORETRY		0
#define __GFP_NOWARN		0

#endif /* KPROF_SHIM_GFP_H */
