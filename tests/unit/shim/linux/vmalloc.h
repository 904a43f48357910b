/* SPDX-License-Identifier: GPL-2.0-only */
/* vmalloc.h - memory, for the host, which can be made to run out */
#ifndef KPROF_SHIM_VMALLOC_H
#define KPROF_SHIM_VMALLOC_H

#include <stdlib.h>
#include <string.h>

#define SHIM_PAGE	4096	/* what begins with one, as what the kernel returns */

/* This many more can be had; below zero: any number. */
static int shim_vmallocs_left = -1;

static inline void *vzalloc(size_t size)
{
	void *memory;

	if (!shim_vmallocs_left)
		return NULL;
	if (shim_vmallocs_left > 0)
		shim_vmallocs_left--;
	return posix_memalign(&memory, SHIM_PAGE, size) ? NULL : memset(memory, 0, size);
}

static inline void *vzalloc_node(size_t size, int node)
{
	(void)node;
	return vzalloc(size);
}

static inline void vfree(void *memory)
{
	free(memory);
}

#endif /* KPROF_SHIM_VMALLOC_H */
