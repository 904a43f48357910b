// SPDX-License-Identifier: GPL-2.0-only
/*
 * available.c - whether there is memory for a large table
 */
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "base/available.h"

/**
 * kprof_is_available() - may a table be so large?
 * @bytes:	what it takes
 *
 * To be asked before a large vmalloc(): that does not fail while there are processes to kill, so
 * that a size that the machine does not have would cost somebody's program. An eighth of what
 * is available is left to the others. Less than a MiB is as good as any other allocation.
 *
 * Context: any. Return: whether there is so much memory now.
 */
bool kprof_is_available(size_t bytes)
{
	long pages;

	if (bytes < SZ_1M)
		return true;
	pages = si_mem_available();
	return pages > 0 && DIV_ROUND_UP(bytes, PAGE_SIZE) <= pages - pages / 8;
}

/**
 * kprof_table() - allocate a table, if there is memory for it
 * @n:		number of entries
 * @size:	of each
 *
 * Context: sleeps. Return: the table, all zeroes, for kvfree(); NULL if there is not that much
 * memory, or kvmalloc() has no such size.
 */
void *kprof_table(size_t n, size_t size)
{
	if (n > INT_MAX / size || !kprof_is_available(n * size))
		return NULL;
	return kvcalloc(n, size, GFP_KERNEL);
}
