/* SPDX-License-Identifier: GPL-2.0-only */
/* err.h - error numbers in pointers, for the host */
#ifndef KPROF_SHIM_ERR_H
#define KPROF_SHIM_ERR_H

#include <linux/errno.h>

#define ERR_PTR(error)	((void *)(long)(error))
#define PTR_ERR(pointer)	((long)(pointer))

#endif /* KPROF_SHIM_ERR_H */
