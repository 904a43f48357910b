// SPDX-License-Identifier: GPL-2.0-only
/*
 * direct.c - watching calls by a trampoline that ftrace calls directly
 *
 * All such targets share one ftrace_ops and one trampoline. Changing the set
 * means to take it off all functions and to put it on again.
 *
 * A task inside of a watched function has the trampoline's address on its stack.
 * Each target counts those; memory and text that they need go when there are
 * none left, and every task has been seen outside of the trampoline since.
 */
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/unwind.h>

#include "calibrate.h"
#include "clock.h"
#include "compat.h"
#include "direct.h"
#include "nest.h"
#include "orc_cache.h"
#include "recent.h"
#include "session.h"
#include "target.h"

DEFINE_STATIC_KEY_FALSE(kprof_direct_used);

struct kprof_direct_entry kprof_direct_table[1 << KPROF_DIRECT_BITS];

static struct ftrace_ops ops;
static bool attached;

/* Functions begin at multiples of 16. */
static u32 table_slot(unsigned long ip)
{
	u32 at = (ip >> 4) % ARRAY_SIZE(kprof_direct_table);

	while (kprof_direct_table[at].ip && kprof_direct_table[at].ip != ip)
		at = (at + 1) % ARRAY_SIZE(kprof_direct_table);
	return at;
}

/* With registers, as at the function's first instruction. */
static noinline bool enter_with_regs(struct kprof_frame *frame, struct kprof_target *target,
				     struct kprof_entry *entry)
{
	struct pt_regs regs = {
		.ip = target->address,
		.sp = (unsigned long)&frame->caller,
		.bp = frame->bp,
		.cs = __KERNEL_CS,
		.ss = __KERNEL_DS,
	};

	entry->regs = &regs;
	return kprof_call_enter(&frame->call, target, entry);
}

static noinline bool enter_any(struct kprof_frame *frame, struct kprof_target *target)
{
	struct kprof_entry entry = {
		.arg = frame->arg,
		.caller = frame->caller,
	};
	bool wanted;

	preempt_disable_notrace();
	if (!READ_ONCE(kprof_running) || !kprof_call_is_wanted(target))
		wanted = false;
	else if (kprof_config->record || target->keys.needs_regs)
		wanted = enter_with_regs(frame, target, &entry);
	else
		wanted = kprof_call_enter(&frame->call, target, &entry);
	if (wanted) {
		this_cpu_inc(target->cpu->entered);
		this_cpu_inc(target->cpu->detoured);
	}
	preempt_enable_notrace();
	return wanted;
}

/**
 * kprof_direct_enter_short() - a call of which only the time is to be taken
 * @frame:	on the stack; its target is set
 *
 * There is no sample to take, no filter, and no key but arguments.
 *
 * Context: any that has fentry calls. Return: whether to be there at its return.
 */
bool kprof_direct_enter_short(struct kprof_frame *frame)
{
	struct kprof_call *call = &frame->call;

	preempt_disable_notrace();
	call->nest = NULL;
	call->others = 0;
	call->hits = 0;
	call->sample = KPROF_CALL_SHORT;
	call->epoch = READ_ONCE(kprof_live_epoch);
	if (likely(call->epoch)) {
		this_cpu_inc(call->target->cpu->entered);
		if (static_branch_unlikely(&kprof_nesting))
			kprof_nest_push(call, kprof_level(0));
	}
	preempt_enable_notrace();
	call->start = kprof_clock();
	return call->epoch;
}
NOKPROBE_SYMBOL(kprof_direct_enter_short);

/**
 * kprof_direct_enter() - a watched function was called
 * @frame:	on the stack
 *
 * The trampoline does by itself what it can.
 *
 * Context: any that has fentry calls. Return: whether to be there at its return.
 */
bool kprof_direct_enter(struct kprof_frame *frame)
{
	struct kprof_target *target = kprof_direct_table[table_slot(frame->ip)].target;

	if (unlikely(!target))
		return false;
	if (!target->is_plain)
		return enter_any(frame, target);
	frame->call.target = target;
	return kprof_direct_enter_short(frame);
}
NOKPROBE_SYMBOL(kprof_direct_enter);

/* With preemption disabled from here to the end, the target may go then. */
static __always_inline void leave(struct kprof_target_cpu *own)
{
	local64_inc(&own->left);
	preempt_enable_notrace();
}

/* The row of a call that went a short way; NULL where it is to be looked for. */
static __always_inline struct kprof_latency *
known_row(const struct kprof_frame *frame, const struct kprof_target *target)
{
	const struct kprof_keyset *keys = &target->keys;

	if (!keys->nr_keys)
		return &this_cpu_ptr(target->cpu)->latency;
	if (keys->nr_keys > 1)
		return NULL;
	return kprof_recent_find(target, kprof_key_argument(keys->key, frame->arg));
}

/* Preemption is disabled, and enabled afterwards. */
static noinline void leave_short(struct kprof_frame *frame, u64 ns, u64 others)
{
	struct kprof_call *call = &frame->call;
	struct kprof_target *target = call->target;
	struct kprof_latency *row;

	if (likely(call->epoch == READ_ONCE(kprof_live_epoch))) {
		row = known_row(frame, target);
		if (!row) {
			kprof_keyset_arguments(&target->keys, frame->arg, call);
			row = kprof_call_row(call);
		}
		kprof_latency_add(row, ns, others);
	}
	leave(this_cpu_ptr(target->cpu));
}

static noinline void leave_any(struct kprof_frame *frame, u64 retval)
{
	struct kprof_call *call = &frame->call;
	struct kprof_target *target = call->target;
	u64 ns;

	preempt_disable_notrace();
	if (call->sample < KPROF_CALL_SHORT) {
		kprof_call_leave(call, retval);
		leave(this_cpu_ptr(target->cpu));
		return;
	}
	ns = kprof_clock_ns(call->start, kprof_clock());
	leave_short(frame, ns, call->sample == KPROF_CALL_SHORT ? kprof_nest_pop(call, ns) : 0);
}

/* As leave_any(), but for what takes no other function. */
static noinline void leave_otherwise(struct kprof_frame *frame, u64 retval, u64 ticks)
{
	struct kprof_call *call = &frame->call;
	struct kprof_latency *row;
	u64 ns, others = 0;

	if (call->sample < KPROF_CALL_SHORT || !kprof_clock_is_short(ticks) ||
	    !static_branch_likely(&kprof_clock_is_tsc)) {
		leave_any(frame, retval);
		return;
	}
	ns = kprof_clock_ns_short(ticks);
	preempt_disable_notrace();
	if (call->sample == KPROF_CALL_SHORT)
		others = kprof_nest_pop(call, ns);
	row = known_row(frame, call->target);
	if (unlikely(!row || call->epoch != READ_ONCE(kprof_live_epoch))) {
		leave_short(frame, ns, others);
		return;
	}
	kprof_latency_add(row, ns, others);
	leave(this_cpu_ptr(call->target->cpu));
}

/**
 * kprof_direct_leave() - a watched function returns
 * @frame:	on the stack
 * @retval:	what it returns
 *
 * Context: any that has fentry calls.
 */
void kprof_direct_leave(struct kprof_frame *frame, u64 retval)
{
	u64 ticks = kprof_clock_tsc() - frame->call.start;
	struct kprof_target_cpu *own;

	if (unlikely(frame->call.sample != KPROF_CALL_PLAIN || !kprof_clock_is_short(ticks))) {
		leave_otherwise(frame, retval, ticks);
		return;
	}
	preempt_disable_notrace();
	own = this_cpu_ptr(frame->call.target->cpu);
	if (likely(frame->call.epoch == READ_ONCE(kprof_live_epoch)))
		kprof_latency_add(&own->latency, kprof_clock_ns_short(ticks), 0);
	leave(own);
}
NOKPROBE_SYMBOL(kprof_direct_leave);

/**
 * kprof_direct_has_room() - may the trampoline take its part of the stack
 * @frame:	on the stack
 *
 * Calls inside of each other may take of a stack's upper half only, so that functions
 * have the lower one for themselves. Asked where a glance does not tell: low on a stack,
 * and in interrupts.
 *
 * Context: as kprof_direct_enter(). Return: whether it may; if not, that is counted.
 */
bool kprof_direct_has_room(struct kprof_frame *frame)
{
	struct kprof_target *target;
	struct kprof_bounds stack;
	bool has_room;

	preempt_disable_notrace();
	stack = kprof_orc_stack((unsigned long)frame);
	has_room = (unsigned long)frame - stack.begin >= (stack.end - stack.begin) / 2;
	if (!has_room && READ_ONCE(kprof_running)) {
		target = kprof_direct_table[table_slot(frame->ip)].target;
		if (target)
			this_cpu_inc(target->cpu->crowded);
	}
	preempt_enable_notrace();
	return has_room;
}
NOKPROBE_SYMBOL(kprof_direct_has_room);

/**
 * kprof_direct_stack_args() - how many words of stack arguments can be there
 * @frame:	whose copy would reach into the next page
 *
 * Context: as kprof_direct_enter(). Return: words up to the end of the stack.
 */
unsigned long kprof_direct_stack_args(const struct kprof_frame *frame)
{
	unsigned long begin = (unsigned long)frame->stack_arg;
	unsigned long end;

	preempt_disable_notrace();
	end = kprof_orc_stack(begin).end;
	preempt_enable_notrace();
	/* A stack that is not known: this page is there, for we stand on it. */
	if (!end)
		end = PAGE_ALIGN(begin);
	return min((end - begin) / sizeof(u64), (unsigned long)KPROF_STACK_ARGS);
}
NOKPROBE_SYMBOL(kprof_direct_stack_args);

static bool is_attachable(const struct kprof_target *target)
{
	return target->probe == KPROF_PROBE_DIRECT && !target->lost;
}

/* The trampoline itself only reads the time-stamp counter, and knows of no other call. */
static enum kprof_way way_of(const struct kprof_target *target)
{
	if (!target->is_plain)
		return KPROF_WAY_ASK;
	if (static_key_enabled(&kprof_nesting) || !static_key_enabled(&kprof_clock_is_tsc))
		return KPROF_WAY_SHORT;
	return target->keys.nr_keys ? KPROF_WAY_ARGUMENTS : KPROF_WAY_PLAIN;
}

static int add_to_filter(struct kprof_target *target)
{
	unsigned long ip = target->address + MCOUNT_INSN_SIZE;

	kprof_direct_table[table_slot(ip)] = (struct kprof_direct_entry) {
		.ip = ip,
		.target = target,
		.entered = &target->cpu->entered,
		.way = way_of(target),
	};
	return ftrace_set_filter_ip(&ops, target->address, 0, 0);
}

/* The functions of all targets into the filter. Return: how many, or an errno. */
static int fill_filter(void)
{
	struct kprof_target *target;
	int err, nr = 0;

	memset(kprof_direct_table, 0, sizeof(kprof_direct_table));
	list_for_each_entry(target, kprof_targets(), node) {
		if (!is_attachable(target))
			continue;
		err = add_to_filter(target);
		if (err)
			return err;
		nr++;
	}
	target = kprof_calibrate_target();
	if (nr && is_attachable(target)) {
		err = add_to_filter(target);
		if (err)
			return err;
	}
	return nr;
}

/**
 * kprof_direct_is_busy() - has something else its own trampoline on a function
 * @target:	that is to have ours
 *
 * Context: sleeps; kprof_mutex is held, and nothing is attached. Return: whether
 * it has.
 */
bool kprof_direct_is_busy(const struct kprof_target *target)
{
	int err;

	memset(&ops, 0, sizeof(ops));
	err = ftrace_set_filter_ip(&ops, target->address, 0, 0);
	if (!err)
		err = register_ftrace_direct(&ops, (unsigned long)kprof_trampoline);
	if (err) {
		ftrace_free_filter(&ops);
		return true;
	}
	attached = true;
	kprof_direct_detach();
	return false;
}

/**
 * kprof_direct_attach() - put the trampoline on all functions that are to have it
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; -EBUSY where
 * something else, such as a BPF program, has its own trampoline on one.
 */
int kprof_direct_attach(void)
{
	int err;

	if (attached)
		return 0;
	memset(&ops, 0, sizeof(ops));
	err = fill_filter();
	if (!err)
		return 0;
	static_branch_enable(&kprof_direct_used);	/* before the first call */
	if (err > 0)
		err = register_ftrace_direct(&ops, (unsigned long)kprof_trampoline);
	if (err) {
		ftrace_free_filter(&ops);
		return err;
	}
	attached = true;
	return 0;
}

/**
 * kprof_direct_detach() - take the trampoline off all functions
 *
 * No call begins through it afterwards; calls under way end through it.
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_direct_detach(void)
{
	if (!attached)
		return;
	unregister_ftrace_direct(&ops, (unsigned long)kprof_trampoline, true);
	/* Those who had passed ftrace's call have entered, or returned. */
	synchronize_rcu_tasks();
	synchronize_rcu_tasks_rude();
	attached = false;
}

/**
 * kprof_direct_inside() - is a task inside of a target's trampoline
 * @target:	to which it is not attached any more
 *
 * Context: any. Return: whether one is.
 */
bool kprof_direct_inside(const struct kprof_target *target)
{
	u64 entered = 0, left = 0;
	int cpu;

	/* Who leaves meanwhile is counted as inside, never the other way round. */
	for_each_possible_cpu(cpu)
		left += local64_read(&per_cpu_ptr(target->cpu, cpu)->left);
	for_each_possible_cpu(cpu)
		entered += READ_ONCE(per_cpu_ptr(target->cpu, cpu)->entered);
	return entered != left;
}

static struct kprof_target *find_inside(void)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (kprof_direct_inside(target))
			return target;
	return NULL;
}

/* Does a task that sleeps do so inside of the trampoline? Its stack tells. */
static bool sleeps_inside(const struct task_struct *task)
{
	unsigned long addr = READ_ONCE(task->thread.sp);
	unsigned long end = (unsigned long)task_stack_page(task) + THREAD_SIZE;
	unsigned long word;

	for (; addr < end; addr += sizeof(word))
		if (!copy_from_kernel_nofault(&word, (void *)addr, sizeof(word)) &&
		    kprof_direct_is_return(word))
			return true;
	return false;
}

/* Those who wait like this look again at what they wait for when they are woken. */
static bool may_be_woken(const struct task_struct *task)
{
	unsigned int state = READ_ONCE(task->__state);

	return (state & TASK_INTERRUPTIBLE) || (state & TASK_IDLE) == TASK_IDLE;
}

/*
 * Let tasks that wait for something inside of a system call leave it, and begin
 * it anew, and let threads of the kernel go round their loops: what a live patch
 * does to those it waits for.
 */
static void nudge_tasks(void)
{
	struct task_struct *leader, *task;

	rcu_read_lock();
	for_each_process_thread(leader, task) {
		if (!may_be_woken(task) || !sleeps_inside(task))
			continue;
		if (!(task->flags & PF_KTHREAD))
			set_tsk_thread_flag(task, TIF_NOTIFY_SIGNAL);
		wake_up_process(task);
	}
	rcu_read_unlock();
}

/**
 * kprof_direct_wait() - wait until nobody is inside of the trampoline
 *
 * Context: sleeps, for as long as calls under way take to return; kprof_mutex is
 * held, and nothing is attached.
 */
void kprof_direct_wait(void)
{
	struct kprof_target *target;
	int rounds = 0;

	if (!kprof_direct_is_used())
		return;
	while ((target = find_inside())) {
		if (rounds++ % 10 == 9)
			nudge_tasks();
		if (rounds == 100)
			pr_warn("waiting for calls inside %s to return\n", target->source.name);
		msleep(rounds < 10 ? 1 : 100);
	}
	/* They are past their last count, and now past their last instruction. */
	synchronize_rcu_tasks();
	synchronize_rcu_tasks_rude();
}

/**
 * kprof_direct_abandon() - current ends inside of watched calls
 *
 * Context: current, in do_exit(): all its frames are still there.
 */
void kprof_direct_abandon(void)
{
	struct unwind_state state;
	struct kprof_frame *frame;

	if (!kprof_direct_is_used())
		return;
	for (unwind_start(&state, current, NULL, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		if (!kprof_direct_is_return(unwind_get_return_address(&state)))
			continue;
		frame = container_of((u64 *)state.bp, struct kprof_frame, bp);
		preempt_disable();
		local64_inc(&this_cpu_ptr(frame->call.target->cpu)->left);
		preempt_enable();
	}
}

/* A module goes, and with it the functions of its targets. */
static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	struct kprof_target *target;
	bool lost = false;

	if (event != MODULE_STATE_GOING || data == THIS_MODULE)
		return NOTIFY_DONE;
	mutex_lock(&kprof_mutex);
	list_for_each_entry(target, kprof_targets(), node) {
		if (!is_attachable(target) || !within_module(target->address, data))
			continue;
		target->lost = true;
		lost = true;
	}
	if (lost && attached) {
		kprof_direct_detach();
		kprof_direct_attach();
	}
	mutex_unlock(&kprof_mutex);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_direct_init() - get ready to attach
 *
 * Context: sleeps. Return: 0 or an errno.
 */
int kprof_direct_init(void)
{
	/* What trampoline_x86.S takes them for. */
	BUILD_BUG_ON(offsetof(struct kprof_frame, bp) != 152);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.target) != 48);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.start) != 72);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.sample) != 88);
	BUILD_BUG_ON(offsetof(struct kprof_frame, call.epoch) != 96);
	BUILD_BUG_ON(offsetof(struct kprof_direct_entry, target) != 8);
	BUILD_BUG_ON(offsetof(struct kprof_direct_entry, entered) != 16);
	BUILD_BUG_ON(offsetof(struct kprof_direct_entry, way) != 24);
	BUILD_BUG_ON(sizeof(struct kprof_direct_entry) != 1 << 5 || KPROF_DIRECT_BITS != 11);
	BUILD_BUG_ON(KPROF_WAY_PLAIN != 1 || KPROF_WAY_ARGUMENTS != 2 || KPROF_WAY_SHORT != 3);
	BUILD_BUG_ON(KPROF_CALL_PLAIN != -1ULL || KPROF_CALL_ARGUMENTS != -2ULL);
	BUILD_BUG_ON(KPROF_STACK_ARGS != 8);
	BUILD_BUG_ON((NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK) != 0x00ffff00);
	return register_module_notifier(&module_notifier);
}

/**
 * kprof_direct_exit() - undo kprof_direct_init()
 *
 * Context: sleeps; kprof_mutex is not held.
 */
void kprof_direct_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
