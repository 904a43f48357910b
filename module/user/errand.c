// SPDX-License-Identifier: GPL-2.0-only
/*
 * errand.c - has a process look at its own mappings before it returns to user mode
 *
 * An errand is a task work: the kernel calls it when the task is about to return to user mode. A
 * task that sleeps in the kernel may do that in hours, or never, and the module cannot wait for it
 * when it is unloaded. So errands are cancelled, in two steps:
 *
 * - An errand that is in the task's list of works is taken out, as task_work_cancel() does, which
 *   the kernel does not export.
 * - The kernel takes a task's whole list before it calls the first work, and that first work may
 *   be another one that sleeps: it may close a socket that lingers. An errand behind such a work
 *   cannot be taken out. It gets another function instead, which is part of the kernel and only
 *   completes a completion that nobody waits for. The memory of this errand is never freed.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/kmemleak.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_wait.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/task_work.h>

#include "user/errand.h"

/*
 * One is in use until its task returns to user mode, which may sleep for hours before. So there are
 * twice as many as there are threads, as far as that is known, but no more than some megabytes.
 */
#define MIN_ERRANDS	512U
#define MAX_ERRANDS	65536U
#define MAX_TRIES	32
#define PATIENCE_MS	100	/* for works that run now or are about to */
#define RUNNING_MS	60000	/* for those that run: they only need a CPU */

/**
 * struct errand - what a task must do before it returns to user mode
 * @work:	the kernel's task work, and the completion that it may have to complete
 * @task:	the task, with a reference; NULL if the errand is free
 */
struct errand {
	struct rcu_synchronize work;
	struct task_struct *task;
};

static struct errand **errands;	/* grows at a start; stays until kprof_errands_end() */
static u32 errand_bits;
static u32 nr_errands;		/* those that are allocated */
static void (*run_in_task)(void);
static atomic_t pending;	/* sent, and not begun */
static atomic_t running;

static void run_errand(struct callback_head *work)
{
	struct errand *errand = container_of(work, struct errand, work.head);

	atomic_inc(&running);
	atomic_dec(&pending);
	/* Later mappings need another errand. Whoever reuses this one sees that it is finished. */
	smp_store_release(&errand->task, NULL);
	run_in_task();
	put_task_struct(current);
	atomic_dec(&running);
}

static void finish(struct errand *errand)
{
	struct task_struct *task = errand->task;

	atomic_dec(&pending);
	/* Whoever reuses it finds it in no list. */
	smp_store_release(&errand->task, NULL);
	put_task_struct(task);
}

static void send(struct errand *errand, struct task_struct *task)
{
	atomic_inc(&pending);
	get_task_struct(task);
	init_task_work(&errand->work.head, run_errand);
	/* If this fails, the task is exiting, and will not return to user mode. */
	if (task_work_add(task, &errand->work.head, TWA_RESUME))
		finish(errand);
}

/**
 * kprof_errand_send() - have a task do what was prepared before it returns to user mode
 * @task:	the task, which has memory; it may already have such an errand
 *
 * Context: any but NMI; kprof_errands_cancel() is not running. Return: false if all errands that
 * the task could have are in use.
 */
bool kprof_errand_send(struct task_struct *task)
{
	u32 at = hash_ptr(task, errand_bits), i;
	struct task_struct *seen;

	for (i = 0; i < MAX_TRIES; i++) {
		struct errand *errand = errands[(at + i) % nr_errands];

		seen = READ_ONCE(errand->task);
		if (seen == task)
			return true;
		if (!seen && !cmpxchg(&errand->task, NULL, task)) {
			send(errand, task);
			return true;
		}
	}
	return false;
}

/*
 * As task_work_cancel() does it: works are only added at the head of the list, and who wants to run
 * the list replaces the head, then takes the lock once, and only then begins. Return: whether the
 * work was in the list; it will not run any more then.
 */
static bool take_out(struct task_struct *task, struct callback_head *work)
{
	struct callback_head **at = &task->task_works, *seen;
	unsigned long flags;
	bool found = false;

	raw_spin_lock_irqsave(&task->pi_lock, flags);
	while (!found && (seen = READ_ONCE(*at))) {
		/* If this fails, the head has changed: another work has come, or all run. */
		if (seen != work)
			at = &seen->next;
		else
			found = cmpxchg(at, work, work->next) == work;
	}
	raw_spin_unlock_irqrestore(&task->pi_lock, flags);
	return found;
}

/**
 * kprof_errands_cancel() - cancel all errands that are not about to run
 *
 * Context: sleeps; nobody sends errands meanwhile.
 */
void kprof_errands_cancel(void)
{
	struct errand *errand;
	struct task_struct *task;
	u32 i;

	for (i = 0; i < nr_errands; i++) {
		errand = errands[i];
		rcu_read_lock();
		task = READ_ONCE(errand->task);
		/* It may finish now. But even if it then exits, its memory is freed by RCU. */
		if (task)
			get_task_struct(task);
		rcu_read_unlock();
		if (!task)
			continue;
		if (take_out(task, &errand->work.head))
			finish(errand);
		put_task_struct(task);
	}
}

static bool is_over(atomic_t *nr, unsigned int ms)
{
	unsigned long end = jiffies + msecs_to_jiffies(ms);

	while (atomic_read(nr) && time_before(jiffies, end))
		usleep_range(1000, 2000);
	return !atomic_read(nr);
}

/* Have the kernel call nothing of this module for errands that are still pending. */
static void disarm(void)
{
	u32 i;

	for (i = 0; i < nr_errands; i++) {
		if (!READ_ONCE(errands[i]->task))
			continue;
		init_completion(&errands[i]->work.completion);
		/* Whoever sees the new function sees what it completes. */
		smp_store_release(&errands[i]->work.head.func, wakeme_after_rcu);
	}
	/* Who has read the old function is by now inside of it: nothing sleeps in between. */
	synchronize_rcu_tasks();
}

/**
 * kprof_errands_end() - cancel all errands, and free their memory
 *
 * Those behind a work that sleeps keep some hundred bytes each for good.
 *
 * Context: sleeps; nobody sends errands any more. Return: false if one still runs in this module,
 * whose memory must stay then.
 */
bool kprof_errands_end(void)
{
	u32 i;

	if (!nr_errands)
		return true;
	kprof_errands_cancel();
	if (!is_over(&pending, PATIENCE_MS))
		disarm();
	if (!is_over(&running, RUNNING_MS))
		return false;
	/* The last task may still be on its way out of run_errand(). */
	synchronize_rcu_tasks();
	for (i = 0; i < nr_errands; i++) {
		if (errands[i]->task) {
			put_task_struct(errands[i]->task);
			kmemleak_not_leak(errands[i]);
		} else {
			kfree(errands[i]);
		}
	}
	kvfree(errands);
	errands = NULL;
	nr_errands = 0;
	return true;
}

/* Return: the table, with the errands that there are and more; NULL if there is no memory. */
static struct errand **make_table(u32 nr)
{
	struct errand **table = kvcalloc(nr, sizeof(*table), GFP_KERNEL);
	u32 i;

	if (!table)
		return NULL;
	if (nr_errands)
		memcpy(table, errands, nr_errands * sizeof(*table));
	for (i = nr_errands; i < nr; i++) {
		table[i] = kzalloc(sizeof(*table[i]), GFP_KERNEL);
		if (table[i])
			continue;
		while (i-- > nr_errands)
			kfree(table[i]);
		kvfree(table);
		return NULL;
	}
	return table;
}

/**
 * kprof_errands_prepare() - get the memory of errands, which stays until kprof_errands_end()
 * @run:	what tasks are to do, in their own context, where they may sleep
 * @threads:	number of threads that there are
 *
 * A task that still has an errand of an earlier start may get another one.
 *
 * Context: sleeps; nobody sends errands. Return: 0, or -ENOMEM; then it can be called again.
 */
int kprof_errands_prepare(void (*run)(void), u32 threads)
{
	u32 nr = roundup_pow_of_two(clamp(2 * threads, MIN_ERRANDS, MAX_ERRANDS));
	struct errand **table;

	run_in_task = run;
	if (nr <= nr_errands)
		return 0;
	table = make_table(nr);
	if (!table)
		return nr_errands ? 0 : -ENOMEM;
	kvfree(errands);
	errands = table;
	nr_errands = nr;
	errand_bits = ilog2(nr);
	return 0;
}
