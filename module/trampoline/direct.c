// SPDX-License-Identifier: GPL-2.0-only
/*
 * direct.c - watches calls with a trampoline that ftrace leads to
 *
 * All direct targets share one ftrace_ops and one trampoline (hook_*.c). To change the set of
 * targets, the trampoline is taken off all functions and put on again.
 *
 * inside.c deals with tasks that are inside of a watched call when the trampoline goes away.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/rculist.h>

#include "base/clock.h"
#include "base/state.h"
#include "base/stay.h"
#include "calls/calls.h"
#include "compat.h"
#include "trampoline/direct.h"
#include "trampoline/holdout.h"
#include "trampoline/hook.h"
#include "trampoline/inside.h"
#include "trampoline/tracer.h"
#include "trampoline/trampoline.h"

/* Calls of functions replaced by a live patch, which are not watched. Since the last reset. */
static atomic64_t patched;

struct kprof_direct_entry kprof_direct_table[1 << KPROF_DIRECT_BITS];

static struct ftrace_ops ops;
static bool attached;

/* Enter with the registers as they were at the function's first instruction. */
static noinline bool enter_with_regs(struct kprof_frame *frame, struct kprof_target *target,
				     struct kprof_entry *entry)
{
	struct pt_regs regs __uninitialized;

	kprof_frame_regs(frame, target->address, &regs);
	entry->regs = &regs;
	return kprof_call_enter(&frame->call, target, entry);
}

static noinline bool enter_any(struct kprof_frame *frame, struct kprof_target *target)
{
	struct kprof_entry entry = {
		.arg = frame->arg,
		.caller = kprof_frame_caller(frame),
	};
	bool wanted;

	preempt_disable_notrace();
	if (!READ_ONCE(kprof_running) || kprof_call_is_unsafe(target) ||
	    !(target->is_plain || kprof_call_is_wanted(target, current, 0)))
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
 * kprof_direct_enter_short() - enter a call of which only the latency is measured
 * @frame:	on the stack; its target is set
 *
 * There is no sample, no filter, and no key other than arguments.
 *
 * Context: any that has fentry calls. Return: whether to watch its return.
 */
bool kprof_direct_enter_short(struct kprof_frame *frame)
{
	struct kprof_call *call = &frame->call;

	preempt_disable_notrace();
	call->nest = 0;
	local64_set(&call->others, 0);
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
 * The trampoline handles the simple cases by itself, without calling this.
 *
 * Context: any that has fentry calls. Return: whether to watch the call's return.
 */
bool kprof_direct_enter(struct kprof_frame *frame)
{
	struct kprof_target *target = kprof_direct_table[kprof_direct_slot(frame->ip)].target;

	if (unlikely(!target)) {
		if (READ_ONCE(kprof_running))
			atomic64_inc(&patched);
		return false;
	}
	if (!target->is_short)
		return enter_any(frame, target);
	frame->call.target = target;
	return kprof_direct_enter_short(frame);
}
NOKPROBE_SYMBOL(kprof_direct_enter);

/* After this count, the target may go away as soon as preemption is enabled. */
static __always_inline void leave(struct kprof_target_cpu *own)
{
	local64_inc(&own->left);
	preempt_enable_notrace();
}

/* The row of a call that needs no full lookup; NULL if it needs one. */
static __always_inline struct kprof_latency *
known_row(const struct kprof_frame *frame, const struct kprof_target *target)
{
	const struct kprof_keyset *keys = &target->keys;

	if (!keys->nr_keys)
		return &this_cpu_ptr(target->cpu)->latency;
	if (keys->nr_keys > 1)
		return NULL;
	return kprof_recent_find(target, (u64[]) { kprof_key_argument(keys->key, frame->arg) }, 1);
}

/*
 * The short ways do not check own= at entry, which would cost more there. A call that it leaves out
 * was counted then, and is uncounted here. Called with preemption disabled.
 */
static __always_inline bool leave_out_own(struct kprof_target *target)
{
	if (likely(!kprof_call_is_own(current, 0)))
		return false;
	this_cpu_inc(target->cpu->detoured);
	this_cpu_inc(target->cpu->by_own);
	return true;
}

/* Called with preemption disabled; enables it. */
static noinline void leave_short(struct kprof_frame *frame, u64 ns, u64 others)
{
	struct kprof_call *call = &frame->call;
	struct kprof_target *target = call->target;
	struct kprof_latency *row;

	if (likely(call->epoch == READ_ONCE(kprof_live_epoch)) && !leave_out_own(target)) {
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

	if (unlikely(!target))	/* abandoned, and counted as left then */
		return;
	preempt_disable_notrace();
	if (call->sample < KPROF_CALL_SHORT) {
		kprof_call_leave(call, retval);
		leave(this_cpu_ptr(target->cpu));
		return;
	}
	ns = kprof_clock_ns(call->start, kprof_clock());
	leave_short(frame, ns, call->sample == KPROF_CALL_SHORT ? kprof_nest_pop(call, ns) : 0);
}

/* As leave_any(), but handles what takes no other function by itself. */
static noinline void leave_otherwise(struct kprof_frame *frame, u64 retval, u64 ticks)
{
	struct kprof_call *call = &frame->call;
	struct kprof_latency *row;
	u64 ns, others = 0;

	if (call->sample < KPROF_CALL_SHORT || !kprof_clock_is_short(ticks) ||
	    !static_branch_likely(&kprof_clock_is_counter)) {
		leave_any(frame, retval);
		return;
	}
	ns = kprof_clock_ns_short(ticks);
	preempt_disable_notrace();
	if (call->sample == KPROF_CALL_SHORT)
		others = kprof_nest_pop(call, ns);
	/* The epoch first: a call from before a stop may return when its row's profile is freed. */
	if (likely(call->epoch == READ_ONCE(kprof_live_epoch) && !kprof_task_is_own(current))) {
		row = known_row(frame, call->target);
		if (likely(row)) {
			kprof_latency_add(row, ns, others);
			leave(this_cpu_ptr(call->target->cpu));
			return;
		}
	}
	leave_short(frame, ns, others);
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
	u64 ticks = kprof_clock_counter() - frame->call.start;
	struct kprof_target_cpu *own;

	if (unlikely(frame->call.sample != KPROF_CALL_PLAIN || !kprof_clock_is_short(ticks) ||
		     kprof_task_is_own(current))) {
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

/* The trampoline's own code only reads the time-stamp counter, and does not handle nesting. */
static enum kprof_way way_of(const struct kprof_target *target)
{
	if (!target->is_short)
		return KPROF_WAY_ASK;
	if (static_key_enabled(&kprof_nesting) || !static_key_enabled(&kprof_clock_is_counter))
		return KPROF_WAY_SHORT;
	return target->keys.nr_keys ? KPROF_WAY_ARGUMENTS : KPROF_WAY_PLAIN;
}

/**
 * kprof_direct_lengthen() - have calls of a plain target take the long way, for calibration
 * @target:	a target that the trampoline is on
 * @is_long:	whether to
 *
 * Context: kprof_mutex is held; nobody else calls the function.
 */
void kprof_direct_lengthen(struct kprof_target *target, bool is_long)
{
	u32 slot = kprof_direct_slot(kprof_direct_site(target->address));

	target->is_short = !is_long;
	if (kprof_direct_table[slot].target == target)
		WRITE_ONCE(kprof_direct_table[slot].way, way_of(target));
}

static int add_to_filter(struct kprof_target *target)
{
	unsigned long ip = kprof_direct_site(target->address);

	kprof_direct_table[kprof_direct_slot(ip)] = (struct kprof_direct_entry) {
		.ip = ip,
		.target = target,
		.entered = &target->cpu->entered,
		.way = way_of(target),
	};
	return ftrace_set_filter_ip(&ops, target->address, 0, 0);
}

/* Put the functions of all targets into the filter. Return: number of targets, or an errno. */
static int fill_filter(struct kprof_target *probed)
{
	struct kprof_target *target;
	int err, nr = 0;

	memset(kprof_direct_table, 0, sizeof(kprof_direct_table));
	list_for_each_entry(target, kprof_targets(), node) {
		if (!kprof_direct_is_attachable(target))
			continue;
		err = add_to_filter(target);
		if (err)
			return err;
		nr++;
	}
	if (nr && kprof_direct_is_attachable(probed)) {
		err = add_to_filter(probed);
		if (err)
			return err;
	}
	return nr;
}

/**
 * kprof_direct_is_busy() - does a function already have somebody else's trampoline
 * @target:	its target, which is to get kprof's trampoline
 *
 * Context: sleeps; kprof_mutex is held, and nothing is attached. Return: whether
 * it does.
 */
bool kprof_direct_is_busy(const struct kprof_target *target)
{
	int err;

	kprof_hook_prepare(&ops);
	err = ftrace_set_filter_ip(&ops, target->address, 0, 0);
	if (!err)
		err = kprof_hook_put_on(&ops);
	if (err) {
		ftrace_free_filter(&ops);
		return true;
	}
	attached = true;
	kprof_direct_detach();
	return false;
}

/**
 * kprof_direct_attach() - put the trampoline on the functions of all direct targets
 * @probed:	one more target, on which the cost is measured; added only if there are others
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; -EBUSY if something
 * else, such as a BPF program, has its own trampoline on one of them.
 */
int kprof_direct_attach(struct kprof_target *probed)
{
	int err;

	if (attached)
		return 0;
	kprof_hook_prepare(&ops);
	err = fill_filter(probed);
	if (!err)
		return 0;
	static_branch_enable(&kprof_direct_used);	/* before the first call */
	if (err > 0)
		err = kprof_hook_put_on(&ops);
	if (err) {
		ftrace_free_filter(&ops);
		return err;
	}
	attached = true;
	kprof_holdout_begin();
	return 0;
}

/**
 * kprof_direct_is_attached() - is the trampoline on any function
 *
 * Context: kprof_mutex is held. Return: whether it is.
 */
bool kprof_direct_is_attached(void)
{
	return attached;
}

/*
 * If this fails, the functions still call the trampoline. So the trampoline and what ftrace
 * knows of it must stay.
 */
static int take_off(void)
{
	int err = kprof_tracer_is_dead() ? -ENODEV : kprof_hook_take_off(&ops);

	if (err)
		return err;
	/* ftrace does not return the errors that it met meanwhile. */
	if (kprof_tracer_is_dead())
		return -ENODEV;
	ftrace_free_filter(&ops);
	return 0;
}

/**
 * kprof_direct_detach() - take the trampoline off all functions
 *
 * Afterwards, no call enters through it; calls in progress still return through it. If ftrace
 * fails to take it off, the module stays loaded, and none of its targets is freed.
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_direct_detach(void)
{
	int err;

	if (!attached || kprof_stays())
		return;
	kprof_holdout_end();
	err = take_off();
	if (err) {
		pr_err("ftrace does not take the trampoline off its functions: error %d\n", err);
		kprof_stay();
		return;
	}
	/*
	 * Those that had passed ftrace's call must have entered, or returned. ftrace has waited for
	 * them already if it takes the ftrace_ops for one that may be freed now.
	 */
	if (!(ops.flags & FTRACE_OPS_FL_DYNAMIC)) {
		synchronize_rcu_tasks();
		synchronize_rcu_tasks_rude();
	}
	attached = false;
}

/**
 * kprof_direct_passed() - number of calls not watched because of a live patch, since the last reset
 *
 * Context: any. Return: number of calls.
 */
u64 kprof_direct_passed(void)
{
	return atomic64_read(&patched);
}

/**
 * kprof_direct_clear() - reset kprof_direct_passed()
 *
 * Context: nothing takes samples meanwhile.
 */
void kprof_direct_clear(void)
{
	atomic64_set(&patched, 0);
}
