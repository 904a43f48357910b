// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads.c - all threads of the system
 */
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "base/threads.h"

/**
 * kprof_nr_threads() - number of threads, those of the kernel included
 *
 * Threads begin and end meanwhile.
 *
 * Context: any but NMI. Return: the number.
 */
u32 kprof_nr_threads(void)
{
	struct task_struct *process, *thread;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		nr++;
	rcu_read_unlock();
	return nr;
}
