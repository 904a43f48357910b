// SPDX-License-Identifier: GPL-2.0-only
/*
 * wake.c - readers of the rings that wait for records
 */
#include <linux/cache.h>

#include "profile/wake.h"

DECLARE_WAIT_QUEUE_HEAD(kprof_ring_readers);
atomic_t kprof_rings_open __read_mostly;

/**
 * kprof_ring_wake() - wake the readers that wait for records
 * @work:	struct kprof_cpu.wake
 *
 * Context: irq_work, where a spinlock may be taken (it runs in a thread on PREEMPT_RT).
 */
void kprof_ring_wake(struct irq_work *work)
{
	wake_up_interruptible_all(&kprof_ring_readers);
}

/**
 * kprof_ring_wake_all() - wake all readers because sampling has stopped
 *
 * Context: sleeps.
 */
void kprof_ring_wake_all(void)
{
	wake_up_interruptible_all(&kprof_ring_readers);
}
