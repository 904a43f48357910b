/* SPDX-License-Identifier: GPL-2.0-only */
/* sort.h - sorting, for the host */
#ifndef KPROF_SHIM_SORT_H
#define KPROF_SHIM_SORT_H

#include <stdlib.h>

/* The kernel's last argument exchanges two elements; all callers leave it to it. */
#define sort(base, n, size, compare, exchange)	qsort(base, n, size, compare)

#endif /* KPROF_SHIM_SORT_H */
