// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - follows processes, so that their mappings are known before they run them
 *
 * When a process maps executable memory, or a child is created, it gets a task work: before it
 * returns to user mode, it records its own mappings. So nobody needs to find a process in time,
 * however short-lived it is. Mappings that exist at the start are recorded then. When a sample
 * is the first in a file that a reader wants, its task does the same, and the file is held.
 */
#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "base/error.h"
#include "base/state.h"
#include "base/stay.h"
#include "base/threads.h"
#include "base/tracepoint.h"
#include "uapi/kprof.h"
#include "user/changes.h"
#include "user/errand.h"
#include "user/follow.h"
#include "user/mapped.h"
#include "user/maps.h"
#include "user/pins.h"
#include "user/user.h"
#include "compat.h"

/* For the locks of the memory of all processes that exist at the start, together. */
#define PATIENCE	(HZ / 2)

static atomic64_t missed, locked;
static struct tracepoint *process_fork;
static bool is_on;

/* Before it returns to user mode. An exiting task also gets here, without an mm. */
static void look_at_own(void)
{
	if (current->mm && !kprof_spaces_update(current->mm, current, jiffies + KPROF_OWN_PATIENCE))
		atomic64_inc(&locked);
}

static void ask_for_maps(struct task_struct *task)
{
	if (!kprof_errand_send(task))
		atomic64_inc(&missed);
}

/* Will a task return to user mode? Some threads of the kernel have a process's memory, too. */
static bool is_user(const struct task_struct *task)
{
	return READ_ONCE(task->mm) &&
	       !(READ_ONCE(task->flags) & (PF_KTHREAD | PF_USER_WORKER | PF_EXITING));
}

/* A task cannot be asked in NMI. If another one runs by now, the next sample asks again. */
static void ask_later(struct irq_work *work)
{
	if (is_user(current))
		kprof_errand_send(current);
}

static DEFINE_PER_CPU(struct irq_work, later);

/* See to it that current looks at its mappings before it returns to user mode. */
static void ask_current(void)
{
	if (in_nmi())
		irq_work_queue(this_cpu_ptr(&later));
	else
		kprof_errand_send(current);
}

/**
 * kprof_follow_again() - a sample of current was where nothing is known to be mapped
 * @maps:	its mappings; NULL if they are not known
 *
 * If they were not recorded just now, they are recorded again before current returns to user mode.
 *
 * Context: any, NMI included; preemption is disabled, and kprof_user_start() was called.
 */
void kprof_follow_again(const struct kprof_maps *maps)
{
	if (!maps || time_after(jiffies, READ_ONCE(maps->made) + HZ / 10))
		ask_current();
}

/**
 * kprof_user_meet() - see to it that a reader gets the files of a stack
 * @place:	the places of the stack of current
 * @nr:		how many
 * @is_new:	see kprof_pins_meet()
 *
 * Context: any, NMI included; kprof_user_start() was called.
 */
void kprof_user_meet(const u64 *place, u32 nr, bool is_new)
{
	if (kprof_pins_meet(place, nr, is_new))
		ask_current();
}

static void on_fork(void *unused, struct task_struct *parent, struct task_struct *child)
{
	/* A thread has the mappings of its process. */
	if (child->mm && child->mm != parent->mm)
		ask_for_maps(child);
}

static u32 count_processes(void)
{
	struct task_struct *task;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process(task)
		nr++;
	rcu_read_unlock();
	return nr;
}

/* A thread that has the process's memory: its first one may have ended before the others. */
static struct task_struct *live_thread(struct task_struct *leader)
{
	struct task_struct *task;

	for_each_thread(leader, task)
		if (is_user(task))
			return task;
	return NULL;
}

/* Get references to processes. Return: their number. on_fork() covers those created later. */
static u32 hold_processes(struct task_struct **held, u32 room)
{
	struct task_struct *leader, *task;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process(leader) {
		if (nr == room)
			break;
		task = live_thread(leader);
		if (task) {
			get_task_struct(task);
			held[nr++] = task;
		}
	}
	rcu_read_unlock();
	return nr;
}

/*
 * A process may keep its memory locked for as long as it likes, and its last user waits for its
 * asynchronous I/O: neither is waited for here. A process whose memory is locked looks at its own
 * mappings when it returns to user mode.
 */
static void look_at(struct task_struct *task, unsigned long until)
{
	struct mm_struct *mm = get_task_mm(task);

	if (mm) {
		if (!kprof_spaces_update(mm, task, until) && is_user(task))
			ask_for_maps(task);
		mmput_async(mm);
	}
	put_task_struct(task);
}

static int look_at_all(void)
{
	u32 room = 2 * count_processes(), nr, i;
	struct task_struct **held = kvcalloc(room, sizeof(*held), GFP_KERNEL);
	unsigned long until = jiffies + PATIENCE;

	if (!held)
		return -ENOMEM;
	nr = hold_processes(held, room);
	for (i = 0; i < nr; i++) {
		look_at(held[i], until);
		cond_resched();
	}
	kvfree(held);
	return 0;
}

static void unwatch_fork(void)
{
	tracepoint_probe_unregister(process_fork, on_fork, NULL);
	tracepoint_synchronize_unregister();
}

static int watch_fork(void)
{
	check_trace_callback_type_sched_process_fork(on_fork);
	process_fork = kprof_kernel_tracepoint("sched_process_fork");
	return process_fork ? tracepoint_probe_register(process_fork, on_fork, NULL) : -ENODEV;
}

/* At the first start. Not all kernels relocate what a module's per-CPU data is initialised with. */
static int prepare(void)
{
	static bool is_prepared;
	int cpu;

	if (!is_prepared)
		for_each_possible_cpu(cpu)
			per_cpu(later, cpu) = IRQ_WORK_INIT_HARD(ask_later);
	is_prepared = true;
	return kprof_errands_prepare(look_at_own, kprof_nr_threads());
}

static int watch(void)
{
	int err = prepare();

	if (err)
		return err;
	err = watch_fork();
	if (err)
		return err;
	err = kprof_changes_watch(ask_for_maps);
	if (err)
		unwatch_fork();
	return err;
}

static void unwatch(void)
{
	kprof_changes_unwatch();
	unwatch_fork();
}

/* Go by rules, where there are some; changed only while no user stacks are taken. */
bool kprof_user_rules;

/**
 * kprof_user_start() - prepare for user stacks
 * @rules:	go by rules; otherwise, by frame pointers only
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the reason.
 */
int kprof_user_start(bool rules)
{
	int err;

	WRITE_ONCE(kprof_user_rules, rules);
	kprof_spaces_open();
	err = watch();
	if (!err) {
		is_on = true;
		err = look_at_all();
	}
	if (!err)
		return 0;
	kprof_user_stop();
	kprof_spaces_close();
	return kprof_refuse(err, "stacks", "user",
			    "what processes map cannot be watched (error %d); give kernel", err);
}

static void sync_later(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&later, cpu));
}

/**
 * kprof_user_stop() - undo kprof_user_start()
 *
 * Context: sleeps; kprof_mutex is held, and no more user stacks are taken. Does nothing if it
 * was not started.
 */
void kprof_user_stop(void)
{
	if (!is_on)
		return;
	is_on = false;
	unwatch();
	kprof_spaces_close();
	/* Tasks that sleep are not to have errands of a time long ago. */
	sync_later();
	kprof_errands_cancel();
}

/**
 * kprof_user_exit() - free everything
 *
 * Context: sleeps; kprof_user_stop() was called.
 */
void kprof_user_exit(void)
{
	sync_later();
	if (!kprof_errands_end()) {
		kprof_stay();
		return;
	}
	kprof_pins_exit();
	kprof_maps_drain();
	kprof_mapped_clear();
}

/**
 * kprof_follow_is_on() - are processes followed
 *
 * Context: kprof_mutex is held. Return: whether they are.
 */
bool kprof_follow_is_on(void)
{
	return is_on;
}

/**
 * kprof_follow_totals() - how often a change of a process's mappings was missed, by cause
 * @sum:	where that goes; since load
 *
 * Context: any.
 */
void kprof_follow_totals(struct kprof_follow_totals *sum)
{
	*sum = (struct kprof_follow_totals) {
		.errands = atomic64_read(&missed),
		.locks = atomic64_read(&locked),
		.probes = kprof_changes_missed(),
		.memory = kprof_spaces_failed(),
		.limited = kprof_spaces_limited(),
		.unwatched = kprof_changes_unheard(),
	};
}
