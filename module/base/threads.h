/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * threads.h - all threads of the system
 */
#ifndef KPROF_THREADS_H
#define KPROF_THREADS_H

#include <linux/types.h>

u32 kprof_nr_threads(void);

#endif /* KPROF_THREADS_H */
