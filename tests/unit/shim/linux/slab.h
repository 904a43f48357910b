/* SPDX-License-Identifier: GPL-2.0-only */
/* slab.h - memory of any size, for the host, which can be made to run out */
#ifndef KPROF_SHIM_SLAB_H
#define KPROF_SHIM_SLAB_H

#include <stddef.h>

#include <linux/gfp.h>
#include <linux/vmalloc.h>

#define struct_size(p, member, n)	offsetof(__typeof__(*(p)), member[n])

static inline void *kmalloc(size_t size, int flags)
{
	(void)flags;
	return vzalloc(size);
}

#define kzalloc(size, flags)	kmalloc(size, flags)
#define kvzalloc(size, flags)	kmalloc(size, flags)

static inline void *kvmalloc_array(size_t n, size_t size, int flags)
{
	return kmalloc(n * size, flags);
}

static inline void *kvcalloc(size_t n, size_t size, int flags)
{
	return kmalloc(n * size, flags);
}

static inline void kfree(void *memory)
{
	vfree(memory);
}

static inline void kvfree(void *memory)
{
	vfree(memory);
}

#endif /* KPROF_SHIM_SLAB_H */
