// SPDX-License-Identifier: GPL-2.0-only
/*
 * holdout.c - keeps the module loaded while a task runs inside of a watched call for long
 *
 * To take its calls out, ftrace waits until each task that could be running in between has
 * slept or been in user mode. A task that does neither for a long time would keep rmmod waiting,
 * and nothing could end that. So tasks that run inside of a watched call are searched for from
 * time to time. While one is found that has done nothing else since the last search, kprof holds
 * a reference to the module, so that the kernel refuses to unload it.
 */
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/workqueue.h>

#include "calls/calls.h"
#include "compat.h"
#include "trampoline/holdout.h"
#include "trampoline/inside.h"
#include "trampoline/trampoline.h"

#define PERIOD		(HZ / 2)
#define SHARE		50	/* of the time, one part in so many */
#define MAX_SUSPECTS	8

/**
 * struct suspect - a task that was running inside of a watched call at the last search
 * @pid:	the task
 * @switches:	its voluntary context switches at that time
 * @user_time:	its time in user mode at that time
 */
struct suspect {
	pid_t pid;
	unsigned long switches;
	u64 user_time;
};

static struct suspect suspects[MAX_SUSPECTS];
static bool held;

static void look(struct work_struct *unused);
static DECLARE_DELAYED_WORK(work, look);

/*
 * Not bound to a CPU: a task that does not let others run may occupy this one. Where there are so
 * many tasks that a search takes long, there are fewer searches.
 */
static void look_again(unsigned long took)
{
	queue_delayed_work(system_dfl_wq, &work, max_t(unsigned long, PERIOD, SHARE * took));
}

static bool was_there(const struct suspect *now)
{
	u32 i;

	for (i = 0; i < MAX_SUSPECTS; i++)
		if (suspects[i].pid == now->pid && suspects[i].switches == now->switches &&
		    suspects[i].user_time == now->user_time)
			return true;
	return false;
}

/* Find a task that runs inside of a call, as it did at the last search. Within RCU. */
static pid_t find_holdout(const struct kprof_target **target)
{
	struct suspect seen[MAX_SUSPECTS] = { };
	const struct kprof_target *around;
	struct task_struct *leader, *task;
	pid_t found = 0;
	u32 nr = 0;

	for_each_process_thread(leader, task) {
		if (READ_ONCE(task->__state) || nr == MAX_SUSPECTS || task == current)
			continue;
		around = kprof_inside_of(task);
		if (!around)
			continue;
		seen[nr] = (struct suspect) {
			.pid = task->pid, .switches = task->nvcsw, .user_time = task->utime,
		};
		if (was_there(&seen[nr]) && !found) {
			found = task->pid;
			*target = around;
		}
		nr++;
	}
	memcpy(suspects, seen, sizeof(suspects));
	return found;
}

/*
 * Runs without kprof_mutex, as its holder may wait for this work. mutex_trylock() would not do:
 * if others always hold the mutex, the module would stay held as well.
 */
static void look(struct work_struct *unused)
{
	const struct kprof_target *target;
	unsigned long begin = jiffies;
	pid_t pid;

	rcu_read_lock();
	pid = find_holdout(&target);
	if (pid && !held) {
		/* Not if the module is already being unloaded, which then waits for the task. */
		held = try_module_get(THIS_MODULE);
		if (held)
			pr_info("in use until task %d, which runs inside of %s, sleeps or is in user mode\n",
				pid, target->source.name);
	} else if (!pid && held) {
		held = false;
		module_put(THIS_MODULE);
	}
	rcu_read_unlock();
	look_again(jiffies - begin);
}

/**
 * kprof_holdout_begin() - start searching
 *
 * Context: sleeps; kprof_mutex is held, and the trampoline is attached.
 */
void kprof_holdout_begin(void)
{
	look_again(0);
}

/**
 * kprof_holdout_end() - stop searching
 *
 * Context: sleeps; kprof_mutex is held. The caller holds a reference to the module, or the
 * module is being unloaded, and then no task was found.
 */
void kprof_holdout_end(void)
{
	cancel_delayed_work_sync(&work);
	memset(suspects, 0, sizeof(suspects));
	if (held)
		module_put(THIS_MODULE);
	held = false;
}
