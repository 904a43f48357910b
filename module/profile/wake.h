/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wake.h - readers of the rings that wait for records
 */
#ifndef KPROF_WAKE_H
#define KPROF_WAKE_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/wait.h>

extern wait_queue_head_t kprof_ring_readers;
extern atomic_t kprof_rings_open;	/* number of open ring files */

void kprof_ring_wake(struct irq_work *work);
void kprof_ring_wake_all(void);

#endif /* KPROF_WAKE_H */
