// SPDX-License-Identifier: GPL-2.0-only
/*
 * holdout.c - tasks that run inside of watched calls for long hold the module
 *
 * To take its calls out, ftrace waits until each task that could run in between has
 * slept or been in user mode. A task that does neither for long would keep rmmod waiting,
 * and nothing ends that. So who runs inside of a watched call is looked for from time to
 * time, and as long as one is found that has done nothing else since the last look, the
 * kernel refuses to unload the module.
 */
#include <linux/ftrace.h>
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
#define MAX_SUSPECTS	8

/**
 * struct suspect - a task that ran inside of a watched call at the last look
 * @pid:	the task
 * @switches:	how often it had gone to sleep
 * @user_time:	what it had spent in user mode
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

/* On any CPU: that of a task which does not let others run is the one that is no good. */
static void look_again(void)
{
	queue_delayed_work(system_dfl_wq, &work, PERIOD);
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

/* Of the tasks that run inside of a call, one that did at the last look. Within RCU. */
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
 * Without kprof_mutex: its holder may wait for this work, and to try for it is not enough. Where
 * others always have it, the module would be held for as long.
 */
static void look(struct work_struct *unused)
{
	const struct kprof_target *target;
	pid_t pid;

	rcu_read_lock();
	pid = find_holdout(&target);
	if (pid && !held) {
		held = try_module_get(THIS_MODULE);
		pr_info("in use until task %d, which runs inside of %s, sleeps or is in user mode\n",
			pid, target->source.name);
	} else if (!pid && held) {
		held = false;
		module_put(THIS_MODULE);
	}
	rcu_read_unlock();
	look_again();
}

/**
 * kprof_holdout_begin() - look from now on
 *
 * Context: sleeps; kprof_mutex is held, and the trampoline is attached.
 */
void kprof_holdout_begin(void)
{
	look_again();
}

/**
 * kprof_holdout_end() - look no more
 *
 * Context: sleeps; kprof_mutex is held. The caller holds the module by other means, or
 * it is on its way out, and then nobody was found.
 */
void kprof_holdout_end(void)
{
	cancel_delayed_work_sync(&work);
	memset(suspects, 0, sizeof(suspects));
	if (held)
		module_put(THIS_MODULE);
	held = false;
}
