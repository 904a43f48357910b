/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * available.h - whether there is memory for a large table
 */
#ifndef KPROF_AVAILABLE_H
#define KPROF_AVAILABLE_H

#include <linux/types.h>

bool kprof_is_available(size_t bytes);
void *kprof_table(size_t n, size_t size);

#endif /* KPROF_AVAILABLE_H */
