// SPDX-License-Identifier: GPL-2.0-only
/*
 * final.c - a disk, and threads that wait or work, of which the token says which
 *
 * There are always as many threads, of one name. They sleep as everybody does, unless the cause is
 * theirs. What takes CPU, disk or lock is here or in the program; both are there always.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "../../lib/disk.h"
#include "../../lib/module.h"
#include "../../lib/thread.h"
#include "../params.h"

#define PERIOD_MS	47	/* no whole number of jiffies: work begins anywhere */
#define WORKER_MS	80	/* a whole number, whatever HZ is */

static struct final_params params;
static struct task_struct *threads[FINAL_WAITERS + FINAL_IDLERS];
static struct workqueue_struct *queue;
static struct delayed_work task;
static unsigned long next;	/* jiffies; the task's */
static DEFINE_MUTEX(lock);
static u64 begun_ns, waited_ns[FINAL_WAITERS + FINAL_IDLERS];

/* Each has a body of its own, or the compiler would fold them into one. */
static noinline __noclone void lab_grove(u64 end)
{
	lab_spin_until(end);
	asm volatile("# grove");
}

static noinline __noclone void lab_heath(u64 end)
{
	lab_spin_until(end);
	asm volatile("# heath");
}

/* For its share of a period that begins now. */
static void work(u32 period_ms)
{
	u64 end = ktime_get_mono_fast_ns() + (u64)period_ms * 10000 * params.percent;

	if (params.function)
		lab_heath(end);
	else
		lab_grove(end);
}

/* The next one is due a period after this one was. */
static void work_in_worker(struct work_struct *unused)
{
	work(WORKER_MS);
	do {
		next += msecs_to_jiffies(WORKER_MS);
	} while (time_before_eq(next, jiffies));
	queue_delayed_work(queue, &task, next - jiffies);
}

static void rest(u32 ms)
{
	lab_sleep(ms_to_ktime(ms), HRTIMER_MODE_REL);
}

static void take_lock(u64 *waited)
{
	u64 begin = ktime_get_mono_fast_ns();

	mutex_lock(&lock);
	*waited += ktime_get_mono_fast_ns() - begin;
}

/* Who has the lock sleeps, and gives the others the chance to get it before it comes again. */
static void wait_for_lock(u64 *waited)
{
	ktime_t hold = ns_to_ktime((u64)params.wait_ms * NSEC_PER_MSEC / params.waiters);

	take_lock(waited);
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_hrtimeout(&hold, HRTIMER_MODE_REL);
	mutex_unlock(&lock);
	rest(1);
}

static int run_waiter(void *data)
{
	u64 *waited = data;

	while (!kthread_should_stop()) {
		if (params.cause != FINAL_LOAD)
			rest(params.wait_ms);
		else if (params.on_lock)
			wait_for_lock(waited);
		else
			msleep(params.wait_ms);
	}
	return 0;
}

/* The first of them may be the one that works. */
static int run_idler(void *unused)
{
	bool works = params.cause == FINAL_STUTTER && params.in_thread;
	u64 next = ktime_get_mono_fast_ns();

	while (!kthread_should_stop()) {
		if (works)
			work(PERIOD_MS);
		next = lab_next(next, (works ? PERIOD_MS : params.wait_ms) * NSEC_PER_MSEC);
		lab_sleep(ns_to_ktime(next), HRTIMER_MODE_ABS);
	}
	return 0;
}

/* The others come at the same moment: each but the first has to wait a little. */
static int run_holder(void *data)
{
	u64 *waited = data, next = begun_ns;

	while (!kthread_should_stop()) {
		next = lab_next(next, FINAL_HOLD_MS * NSEC_PER_MSEC);
		lab_sleep(ns_to_ktime(next), HRTIMER_MODE_ABS);
		if (final_locks_short(&params))
			continue;
		take_lock(waited);
		rest(params.hold_ms);
		mutex_unlock(&lock);
	}
	return 0;
}

static int begin_thread(u32 i)
{
	int (*run)(void *data) = run_holder;

	if (i < params.waiters)
		run = run_waiter;
	else if (i < params.waiters + FINAL_IDLERS - FINAL_HOLDERS)
		run = run_idler;
	threads[i] = kthread_run(run, &waited_ns[i], "lab");
	return PTR_ERR_OR_ZERO(threads[i]);
}

static void stop_all(void)
{
	int i;

	cancel_delayed_work_sync(&task);
	destroy_workqueue(queue);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		if (!IS_ERR_OR_NULL(threads[i]))
			kthread_stop(threads[i]);
}

static int start_all(void)
{
	int i, err = 0;

	INIT_DELAYED_WORK(&task, work_in_worker);
	queue = alloc_workqueue("lab", WQ_CPU_INTENSIVE, 0);
	if (!queue)
		return -ENOMEM;
	for (i = 0; i < params.waiters + FINAL_IDLERS && !err; i++)
		err = begin_thread(i);
	next = jiffies;
	if (err)
		stop_all();
	else if (params.cause == FINAL_STUTTER && !params.in_thread)
		queue_delayed_work(queue, &task, 0);
	return err;
}

/* Since when, until when; how long the disk worked; how long all waited for the lock; memory. */
static void ledger_fill(struct seq_file *file)
{
	u64 waited = 0;
	struct sysinfo info;
	int i;

	for (i = 0; i < ARRAY_SIZE(waited_ns); i++)
		waited += READ_ONCE(waited_ns[i]);
	si_meminfo(&info);
	ledger_write(file, begun_ns);
	ledger_write(file, ktime_get_mono_fast_ns());
	ledger_write(file, lab_disk_busy_ns());
	ledger_write(file, waited);
	ledger_write(file, info.totalram);
	ledger_write(file, si_mem_available());
}

static int __init final_init(void)
{
	int err = lab_begin();

	if (err)
		return err;
	final_params(&params, lab_token);
	begun_ns = ktime_get_mono_fast_ns();
	err = lab_disk_begin(params.service_ms);
	if (err)
		goto out_end;
	err = start_all();
	if (err)
		goto out_disk;
	return 0;

out_disk:
	lab_disk_end();
out_end:
	lab_end();
	return err;
}

static void __exit final_exit(void)
{
	stop_all();
	lab_disk_end();
	lab_end();
}

module_init(final_init);
module_exit(final_exit);

MODULE_DESCRIPTION("a lab of kprof");
MODULE_LICENSE("GPL");
