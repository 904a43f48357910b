// SPDX-License-Identifier: GPL-2.0-only
/*
 * load.c - threads that wait uninterruptibly: for a disk, for a lock, or just so; or for the CPU
 *
 * They raise the load without doing anything, or, of the CPU, since all want it at once. Others
 * sleep as one should, and one of these works a little. All have the same name.
 */
#include <linux/delay.h>
#include <linux/mutex.h>
#include <linux/sched/types.h>

#include "../../lib/disk.h"
#include "../../lib/module.h"
#include "../../lib/thread.h"
#include "../params.h"

#define WORK_MS	50	/* the worker's period */

struct waiter {
	struct bio bio;
	struct bio_vec vec;
	struct task_struct *task;
	u64 waits, waited_ns;
};

static struct load_params params;
static struct waiter waiters[LOAD_WAITERS];
static struct task_struct *decoys[LOAD_DECOYS];
static struct page *page;
static DEFINE_MUTEX(lock);
static u64 begun_ns, worked_ns;

/* Not counted as load. */
static void rest_us(u32 us)
{
	lab_sleep(ns_to_ktime((u64)us * NSEC_PER_USEC), HRTIMER_MODE_REL);
}

static noinline void wait_for_disk(struct waiter *waiter)
{
	bio_init(&waiter->bio, lab_disk.disk->part0, &waiter->vec, 1, REQ_OP_READ);
	__bio_add_page(&waiter->bio, page, SECTOR_SIZE, 0);
	submit_bio_wait(&waiter->bio);
	bio_uninit(&waiter->bio);
}

/* Who has the lock sleeps, and gives the others the chance to get it before it comes again. */
static noinline void wait_for_lock(struct waiter *waiter)
{
	ktime_t hold = ns_to_ktime((u64)params.wait_ms * NSEC_PER_MSEC / params.waiters);
	u64 begin = ktime_get_mono_fast_ns();

	mutex_lock(&lock);
	waiter->waited_ns += ktime_get_mono_fast_ns() - begin;
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_hrtimeout(&hold, HRTIMER_MODE_REL);
	mutex_unlock(&lock);
	rest_us(200);
}

static noinline __noclone void lab_grain(u64 ns)
{
	u64 begin = ktime_get_mono_fast_ns();

	/* None of the others runs meanwhile: there is one CPU. */
	worked_ns += lab_spin_until(begin + ns) - begin;
}

/* All wake at the same moment, and one has to wait for the other. */
static void run_waiter_for_cpu(struct waiter *waiter)
{
	const u64 all_ns = (u64)params.wait_ms * NSEC_PER_MSEC;
	const u64 period = (u64)load_period_us(&params) * NSEC_PER_USEC;
	u64 next = begun_ns;

	sched_set_fifo(current);
	while (!kthread_should_stop()) {
		next = lab_next(next, period);
		lab_sleep(ns_to_ktime(next), HRTIMER_MODE_ABS);
		waiter->waited_ns += ktime_get_mono_fast_ns() - next;
		waiter->waits++;
		lab_grain(all_ns / params.waiters);
	}
}

static int run_waiter(void *data)
{
	struct waiter *waiter = data;
	u64 begin;

	if (params.cause == LOAD_CPU)
		run_waiter_for_cpu(waiter);

	while (!kthread_should_stop()) {
		begin = ktime_get_mono_fast_ns();
		switch (params.cause) {
		case LOAD_IO:
			wait_for_disk(waiter);
			break;
		case LOAD_LOCK:
			wait_for_lock(waiter);
			break;
		default:
			msleep(params.wait_ms);
		}
		if (params.cause != LOAD_LOCK)
			waiter->waited_ns += ktime_get_mono_fast_ns() - begin;
		waiter->waits++;
	}
	return 0;
}

static int run_worker(void *unused)
{
	u32 work_us = WORK_MS * 10 * params.busy;
	u64 begin;

	while (!kthread_should_stop()) {
		begin = ktime_get_mono_fast_ns();
		if (params.cause != LOAD_CPU)
			worked_ns += lab_spin_until(begin + work_us * NSEC_PER_USEC) - begin;
		rest_us(WORK_MS * USEC_PER_MSEC - work_us);
	}
	return 0;
}

static int run_sleeper(void *unused)
{
	while (!kthread_should_stop())
		rest_us(params.wait_ms * USEC_PER_MSEC);
	return 0;
}

static int start(struct task_struct **task, int (*run)(void *data), void *data)
{
	*task = kthread_run(run, data, "lab");
	return PTR_ERR_OR_ZERO(*task);
}

static void stop(struct task_struct *task)
{
	if (!IS_ERR_OR_NULL(task))
		kthread_stop(task);
}

static void stop_all(void)
{
	int i;

	for (i = 0; i < params.decoys; i++)
		stop(decoys[i]);
	for (i = 0; i < params.waiters; i++)
		stop(waiters[i].task);
}

static int start_all(void)
{
	int i, err = 0;

	for (i = 0; i < params.decoys && !err; i++)
		err = start(&decoys[i], i ? run_sleeper : run_worker, NULL);
	for (i = 0; i < params.waiters && !err; i++)
		err = start(&waiters[i].task, run_waiter, &waiters[i]);
	if (err)
		stop_all();
	return err;
}

/* Since when, until when, waits of all, how long these took, and the work of all. */
static void ledger_fill(struct seq_file *file)
{
	u64 waits = 0, waited_ns = 0;
	int i;

	for (i = 0; i < params.waiters; i++) {
		waits += READ_ONCE(waiters[i].waits);
		waited_ns += READ_ONCE(waiters[i].waited_ns);
	}
	ledger_write(file, begun_ns);
	ledger_write(file, ktime_get_mono_fast_ns());
	ledger_write(file, waits);
	ledger_write(file, waited_ns);
	ledger_write(file, READ_ONCE(worked_ns));
}

static int __init load_init(void)
{
	int err = lab_begin();

	if (err)
		return err;
	load_params(&params, lab_token);
	begun_ns = ktime_get_mono_fast_ns();
	err = -ENOMEM;
	page = alloc_page(GFP_KERNEL);
	if (!page)
		goto out_end;
	err = lab_disk_begin(params.wait_ms);
	if (err)
		goto out_page;
	err = start_all();
	if (err)
		goto out_disk;
	return 0;

out_disk:
	lab_disk_end();
out_page:
	__free_page(page);
out_end:
	lab_end();
	return err;
}

static void __exit load_exit(void)
{
	stop_all();
	lab_disk_end();
	__free_page(page);
	lab_end();
}

module_init(load_init);
module_exit(load_exit);

MODULE_DESCRIPTION("a lab of kprof");
MODULE_LICENSE("GPL");
