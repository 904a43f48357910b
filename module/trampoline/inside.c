// SPDX-License-Identifier: GPL-2.0-only
/*
 * inside.c - tracks calls inside the trampoline, and lets them return without it
 *
 * Each target counts its calls in progress. A call may last for as long as its task sleeps, is
 * stopped or frozen, so the trampoline cannot wait for it before it goes away. Instead the task is
 * made to return without it. Under stop_machine(), for some tasks at a time, addresses in the
 * kernel's own text (epilogue_*.c) replace the trampoline's on the task's stack. Nothing else there
 * changes.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/stop_machine.h>

#include "base/state.h"
#include "base/threads.h"
#include "base/stay.h"
#include "calls/calls.h"
#include "compat.h"
#include "trampoline/epilogue.h"
#include "trampoline/frame.h"
#include "trampoline/frames.h"
#include "trampoline/inside.h"
#include "trampoline/trampoline.h"

/* The machine is stopped for so many tasks at once: for less than a millisecond. */
#define MAX_BATCH	32

/* So many tasks may begin while others are counted. */
#define MAX_NEW		1024

DEFINE_STATIC_KEY_FALSE(kprof_direct_used);

/**
 * kprof_inside() - number of calls of a target in progress through the trampoline
 * @target:	any target
 *
 * Context: any. Return: number of calls; if calls come and go, 0 still means there is none.
 */
u64 kprof_inside(const struct kprof_target *target)
{
	u64 entered = 0, left = 0;
	int cpu;

	/* Read @left first: a call that ends meanwhile counts as inside, never as below zero. */
	for_each_possible_cpu(cpu)
		left += local64_read(&per_cpu_ptr(target->cpu, cpu)->left);
	for_each_possible_cpu(cpu)
		entered += READ_ONCE(per_cpu_ptr(target->cpu, cpu)->entered);
	return entered - left;
}

/*
 * Find calls in progress that were not let out, target by target: what was wrongly taken for a
 * call of one hides no call of another. Return: a target that has some, or NULL.
 */
static struct kprof_target *find_inside(u64 *calls)
{
	struct kprof_target *target, *found = NULL;
	u64 inside, out;

	*calls = 0;
	list_for_each_entry(target, kprof_targets(), node) {
		inside = kprof_inside(target);
		out = atomic_read(&target->let_out);
		if (inside <= out)
			continue;
		*calls += inside - out;
		found = target;
	}
	return found;
}

static void abandon(struct kprof_frame *frame)
{
	struct kprof_target *target = frame->call.target;

		/* After an oops, do_exit() may find the frame once more. */
	frame->call.target = NULL;
	/* Should it return in spite of this, the return takes no short way, and has no target. */
	frame->call.sample = 0;
	if (!target)
		return;
	preempt_disable();
	this_cpu_inc(target->cpu->abandoned);
	local64_inc(&this_cpu_ptr(target->cpu)->left);
	preempt_enable();
}

/**
 * kprof_inside_abandon() - the watched calls that current is inside of will not return
 *
 * Context: current, in do_exit() or when it oopses: all its frames are still there.
 */
void kprof_inside_abandon(void)
{
	if (kprof_direct_is_used())
		kprof_frames_abandon(abandon);
}

/**
 * kprof_inside_of() - the watched call that a task seems to be inside of
 * @task:	the task; it may be running, so a call that it has just left may be found
 *
 * Context: within RCU, which keeps the task and its target alive; does not sleep.
 * Return: its target, or NULL.
 */
const struct kprof_target *kprof_inside_of(struct task_struct *task)
{
	unsigned long addr = (unsigned long)task_stack_page(task);
	const unsigned long end = addr + THREAD_SIZE;
	const struct kprof_target *target = NULL;

	for (; addr < end && !target; addr += sizeof(u64))
		target = kprof_frame_at(addr, end);
	return target;
}

static void count_out(struct kprof_target *target)
{
	atomic_inc(&target->let_out);
}

/* Number of calls that were let out, and return without the trampoline. */
static u32 count_let_out(void)
{
	struct kprof_target *target;
	u32 nr = 0;

	list_for_each_entry(target, kprof_targets(), node)
		nr += atomic_read(&target->let_out);
	return nr;
}

static void let_out_stack(struct task_struct *task, unsigned long addr)
{
	unsigned long end = (unsigned long)task_stack_page(task) + THREAD_SIZE;

	kprof_frames_let_out(task, addr, end, count_out);
}

static void let_out_task(struct task_struct *task)
{
		/* The machine is stopped, so the stack cannot be freed meanwhile. */
	if (refcount_read(&task->stack_refcount))
		let_out_stack(task, kprof_frames_begin(task));
}

/**
 * struct batch - tasks that are let out while the machine is stopped once
 * @nr:		how many
 * @task:	the tasks
 */
struct batch {
	u32 nr;
	struct task_struct *task[MAX_BATCH];
};

/* Runs on all CPUs at once, with interrupts disabled: nothing else runs. */
static int let_out_batch(void *data)
{
	struct batch *batch = data;
	u32 i;

	let_out_stack(current, (unsigned long)__builtin_frame_address(0));
	if (smp_processor_id() != cpumask_first(cpu_online_mask))
		return 0;
	for (i = 0; i < batch->nr; i++)
		if (!kprof_task_on_cpu(batch->task[i]))
			let_out_task(batch->task[i]);
	return 0;
}

static void let_out(struct batch *batch)
{
	stop_machine(let_out_batch, batch, cpu_online_mask);
	batch->nr = 0;
}

/*
 * Is a task inside of a watched call? Nothing is attached any more, so no task enters one. The
 * calls that a task is inside of when it is not running are above its stack pointer. Should it run
 * meanwhile, it can only leave them.
 */
static bool is_inside(struct task_struct *task)
{
	unsigned long begin = (unsigned long)READ_ONCE(task->stack), addr = begin, sp;
	const unsigned long end = begin + THREAD_SIZE;

	if (!begin)	/* it has ended; otherwise, its stack is freed by RCU */
		return false;
	if (!kprof_task_on_cpu(task)) {
		smp_rmb();	/* the stack pointer of that moment, or of a later one */
		sp = kprof_frames_begin(task);
		if (sp - begin < THREAD_SIZE)
			addr = ALIGN(sp, sizeof(u64));
	}
	for (; addr < end; addr += sizeof(u64))
		if (kprof_frame_at(addr, end))
			return true;
	return false;
}

/* Get references to tasks. Return: how many there are, even if there is no room for all. */
static u32 hold_tasks(struct task_struct **held, u32 room)
{
	struct task_struct *leader, *task;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process_thread(leader, task) {
		if (nr < room)
			held[nr] = get_task_struct(task);
		nr++;
	}
	rcu_read_unlock();
	return nr;
}

static void let_go_of_tasks(struct task_struct **held, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		put_task_struct(held[i]);
	kvfree(held);
}

/* References to all tasks that there are. Return: NULL if there is no memory. */
static struct task_struct **hold_all_tasks(u32 *nr)
{
	struct task_struct **held;
	u32 room;

	for (;;) {
		room = kprof_nr_threads();
		room += room / 4 + MAX_NEW;
		held = kvcalloc(room, sizeof(*held), GFP_KERNEL);
		*nr = held ? hold_tasks(held, room) : 0;
		if (!held || *nr <= room)
			return held;
		let_go_of_tasks(held, room);
	}
}

/*
 * Let out all tasks that are inside of a call. These are searched for while everything else runs,
 * as there may be a hundred thousand. The machine is stopped for those found, some at a time, and
 * once in any case: the tasks that stop the CPUs may be inside of a call, too.
 */
static void let_out_all(void)
{
	static struct batch batch;
	struct task_struct **held;
	u32 nr, i;

	held = hold_all_tasks(&nr);
	for (i = 0; i < nr; i++) {
		rcu_read_lock();
		if (is_inside(held[i]))
			batch.task[batch.nr++] = held[i];
		rcu_read_unlock();
		if (batch.nr == MAX_BATCH)
			let_out(&batch);
		cond_resched();
	}
	let_out(&batch);
	let_go_of_tasks(held, nr);
}

/*
 * Tasks about to end are on no list any more and are not let out, but they end soon. Idle tasks
 * never were on a list.
 */
static struct kprof_target *wait_for_others(u64 *calls)
{
	struct kprof_target *target = find_inside(calls);
	int rounds;

	for (rounds = 0; target && rounds < 100; rounds++) {
		msleep(20);
		target = find_inside(calls);
	}
	return target;
}

/**
 * kprof_inside_let_out() - make sure that no call will return into the trampoline
 *
 * Calls in progress return to their callers without it. No task is woken for that. If calls
 * remain of which this cannot be said, the module's memory stays.
 *
 * Context: sleeps; kprof_mutex is held, and nothing is attached. Nothing is recorded of
 * the calls that are let out.
 */
void kprof_inside_let_out(void)
{
	struct kprof_target *target;
	u64 calls;
	u32 out;

	if (!kprof_direct_is_used())
		return;
	target = find_inside(&calls);
	if (target)
		kprof_epilogue_find();
	if (target && kprof_epilogue_is_known()) {
		let_out_all();
		out = count_let_out();
		if (out)
			pr_info("%u call%s, such as of %s, return%s without being watched\n",
				out, out == 1 ? "" : "s", target->source.name,
				out == 1 ? "s" : "");
	}
	target = wait_for_others(&calls);
	if (target) {
		pr_err("%llu call%s, such as of %s, %s yet to return\n", calls,
		       calls == 1 ? "" : "s", target->source.name,
		       calls == 1 ? "has" : "have");
		kprof_stay();
	}
	/*
	 * Calls have passed their last count; wait until they have passed their last instruction.
	 * A task that was on no list cannot be inside: this also waits for tasks about to end.
	 */
	synchronize_rcu_tasks();
	synchronize_rcu_tasks_rude();
}
