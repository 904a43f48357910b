// SPDX-License-Identifier: GPL-2.0-only
/*
 * available.c - whether there is memory for a large table
 */
#include <linux/math.h>
#include <linux/mm.h>

#include "base/available.h"

/**
 * kprof_is_available() - may a table be so large?
 * @bytes:	what it takes
 *
 * To be asked before a large vmalloc(): that does not fail while there are processes to kill, so
 * that a size that the machine does not have would cost somebody's program. An eighth of what
 * is available is left to the others.
 *
 * Context: any. Return: whether there is so much memory now.
 */
bool kprof_is_available(size_t bytes)
{
	long pages = si_mem_available();

	return pages > 0 && DIV_ROUND_UP(bytes, PAGE_SIZE) <= pages - pages / 8;
}
