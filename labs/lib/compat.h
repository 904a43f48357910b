/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - what changed between kernels, as far as the labs' modules need it
 *
 * What kprof needs itself is in module/compat.h, which this includes.
 */
#ifndef LABS_COMPAT_H
#define LABS_COMPAT_H

#include <linux/blkdev.h>

#include "../../module/compat.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
/* 74fa8f9c553f ("block: pass a queue_limits argument to blk_alloc_disk") */
static inline struct gendisk *lab_alloc_disk(void)
{
	struct gendisk *disk = blk_alloc_disk(NUMA_NO_NODE);

	return disk ?: ERR_PTR(-ENOMEM);
}
#else
static inline struct gendisk *lab_alloc_disk(void)
{
	return blk_alloc_disk(NULL, NUMA_NO_NODE);
}
#endif

#endif /* LABS_COMPAT_H */
