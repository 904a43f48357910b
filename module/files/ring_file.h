/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring_file.h - the files per_cpu/cpuN/ring: waking who waits for records
 */
#ifndef KPROF_RING_FILE_H
#define KPROF_RING_FILE_H

#include <linux/irq_work.h>

void kprof_ring_wake(struct irq_work *work);
void kprof_ring_wake_all(void);

#endif /* KPROF_RING_FILE_H */
