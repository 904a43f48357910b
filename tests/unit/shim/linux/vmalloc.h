/* SPDX-License-Identifier: GPL-2.0-only */
/* vmalloc.h - memory, for the host, which can be made to run out */
#ifndef KPROF_SHIM_VMALLOC_H
#define KPROF_SHIM_VMALLOC_H

#include <stdlib.h>

/* This many more can be had; below zero: any number. */
static int shim_vmallocs_left = -1;

static inline void *vzalloc(size_t size)
{
	if (!shim_vmallocs_left)
		return NULL;
	if (shim_vmallocs_left > 0)
		shim_vmallocs_left--;
	return calloc(1, size);
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
