// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - processes are followed: what they map is known before they run it
 *
 * Where a process maps executable memory, or a child begins, it is given a task work: before it
 * goes on in user mode it looks itself at what it has mapped. So nobody has to find a process in
 * time, however soon it dies. What was there before is looked at when this begins.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "base/error.h"
#include "base/stay.h"
#include "base/tracepoint.h"
#include "uapi/kprof.h"
#include "user/follow.h"
#include "user/mapped.h"
#include "user/maps.h"
#include "user/user.h"

/* Each is in use from a system call to its end. */
#define ERRAND_BITS	9
#define NR_ERRANDS	(1U << ERRAND_BITS)
#define MAX_TRIES	32
#define PATIENCE_MS	10000

/**
 * struct errand - what a task is to do before it goes on in user mode
 * @work:	as the kernel has it
 * @task:	who; NULL: this is free
 */
struct errand {
	struct callback_head work;
	struct task_struct *task;
};

static struct errand *errands;		/* taken once, with the first start */
static atomic_t pending;
static atomic64_t missed;
static struct tracepoint *process_fork;
static bool is_on;

static void run_errand(struct callback_head *work)
{
	struct errand *errand = container_of(work, struct errand, work);

	/* What is mapped from here on is another errand's; who takes it finds it done with. */
	smp_store_release(&errand->task, NULL);
	/* A task that ends comes here, too, without memory. */
	if (current->mm)
		kprof_spaces_update(current->mm, current);
	atomic_dec(&pending);
}

static void send(struct errand *errand, struct task_struct *task)
{
	atomic_inc(&pending);
	init_task_work(&errand->work, run_errand);
	if (!task_work_add(task, &errand->work, TWA_RESUME))
		return;
	/* It ends, and will not be in user mode again. */
	atomic_dec(&pending);
	WRITE_ONCE(errand->task, NULL);
}

/* For current, or a task that does not run yet: nobody else asks the same of it at once. */
static void ask(struct task_struct *task)
{
	u32 at = hash_ptr(task, ERRAND_BITS), i;
	struct task_struct *seen;

	for (i = 0; i < MAX_TRIES; i++) {
		struct errand *errand = &errands[(at + i) % NR_ERRANDS];

		seen = READ_ONCE(errand->task);
		if (seen == task)
			return;
		if (!seen && !cmpxchg(&errand->task, NULL, task)) {
			send(errand, task);
			return;
		}
	}
	atomic64_inc(&missed);
}

/* Code that a process makes itself is often mapped anew for each change, and stays what it was. */
static bool is_known(const struct vm_area_struct *vma)
{
	const struct kprof_maps *maps = kprof_spaces_find(vma->vm_mm);
	const struct kprof_map *map;

	if (vma->vm_file || !maps)
		return false;
	map = kprof_maps_find(maps, vma->vm_start);
	return map && KPROF_USER_OFFSET(map->place) == map->start && map->end >= vma->vm_end;
}

/* perf wants to know of all that is mapped; its function for that is called by everybody. */
static int on_mmap(struct kprobe *probe, struct pt_regs *regs)
{
	const struct vm_area_struct *vma = (void *)regs_get_kernel_argument(regs, 0);

	if ((vma->vm_flags & VM_EXEC) && vma->vm_mm == current->mm && !is_known(vma))
		ask(current);
	return 0;
}
NOKPROBE_SYMBOL(on_mmap);

static struct kprobe mmap_probe;

static void on_fork(void *unused, struct task_struct *parent, struct task_struct *child)
{
	/* A thread has what its process has. */
	if (child->mm && child->mm != parent->mm)
		ask(child);
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

/* Return: how many processes are held in @held. Those that begin later come by on_fork(). */
static u32 hold_processes(struct task_struct **held, u32 room)
{
	struct task_struct *task;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process(task) {
		if (nr == room)
			break;
		if (!(task->flags & PF_KTHREAD)) {
			get_task_struct(task);
			held[nr++] = task;
		}
	}
	rcu_read_unlock();
	return nr;
}

static void look_at(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);

	if (mm) {
		kprof_spaces_update(mm, task);
		mmput(mm);
	}
	put_task_struct(task);
}

static int look_at_all(void)
{
	u32 room = 2 * count_processes(), nr, i;
	struct task_struct **held = kvcalloc(room, sizeof(*held), GFP_KERNEL);

	if (!held)
		return -ENOMEM;
	nr = hold_processes(held, room);
	for (i = 0; i < nr; i++) {
		look_at(held[i]);
		cond_resched();
	}
	kvfree(held);
	return 0;
}

static int watch_mmap(void)
{
	/* Whatever the last registration has left in it must go. */
	mmap_probe = (struct kprobe) {
		.symbol_name = "perf_event_mmap",
		.pre_handler = on_mmap,
	};
	return register_kprobe(&mmap_probe);
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

static int watch(void)
{
	int err;

	if (!errands)
		errands = kvcalloc(NR_ERRANDS, sizeof(*errands), GFP_KERNEL);
	if (!errands)
		return -ENOMEM;
	err = watch_fork();
	if (err)
		return err;
	err = watch_mmap();
	if (err)
		unwatch_fork();
	return err;
}

static void unwatch(void)
{
	unregister_kprobe(&mmap_probe);
	atomic64_add(mmap_probe.nmissed, &missed);
	unwatch_fork();
}

/**
 * kprof_user_start() - get ready to take user stacks
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno, after saying why.
 */
int kprof_user_start(void)
{
	int err;

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

/**
 * kprof_user_stop() - undo kprof_user_start()
 *
 * Context: sleeps; kprof_mutex is held, and nobody takes a user stack any more. Nothing if it
 * was not started.
 */
void kprof_user_stop(void)
{
	if (!is_on)
		return;
	is_on = false;
	unwatch();
	kprof_spaces_close();
}

/**
 * kprof_user_exit() - give back what was taken
 *
 * Context: sleeps; kprof_user_stop() was called.
 */
void kprof_user_exit(void)
{
	int waited;

	for (waited = 0; atomic_read(&pending) && waited < PATIENCE_MS; waited += 20)
		msleep(20);
	if (atomic_read(&pending)) {
		kprof_stay();
		return;
	}
	/* Who was the last one may still be on the way out of run_errand(). */
	synchronize_rcu_tasks();
	kprof_mapped_clear();
	kvfree(errands);
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
 * kprof_follow_missed() - how often it was not learned that something was mapped
 *
 * Context: any. Return: the number, since load.
 */
u64 kprof_follow_missed(void)
{
	return atomic64_read(&missed) + (is_on ? READ_ONCE(mmap_probe.nmissed) : 0);
}
