/* SPDX-License-Identifier: GPL-2.0-only */
/* errno.h - error numbers, for the host */
#ifndef KPROF_SHIM_ERRNO_H
#define KPROF_SHIM_ERRNO_H

#include_next <linux/errno.h>

#endif /* KPROF_SHIM_ERRNO_H */
