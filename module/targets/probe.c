// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe.c - watches a function by kprobe or kretprobe
 *
 * A function is watched through ftrace's call (direct.c) if possible, else by a kretprobe,
 * which also sees entry and return. A place inside a function, or a function whose return
 * may not be replaced, is watched by a kprobe.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/clock.h"
#include "base/state.h"
#include "calls/calls.h"
#include "points/points.h"
#include "stacks/stacks.h"
#include "targets/probe.h"
#include "trampoline/trampoline.h"

u64 kprof_place_ticks[2];

/* Ticks that kprobes take at a place before and after on_entry(). Optimised to a jump: 0. */
static u64 ticks_around(const struct kprobe *probe, u32 own)
{
	bool is_stepped = false;

#ifdef CONFIG_X86
	is_stepped = !probe->ainsn.emulate_op;
#endif
	return own ? kprof_place_ticks[is_stepped] : 0;
}

static int on_entry(struct kprobe *probe, struct pt_regs *regs)
{
	struct kprof_target *target = container_of(probe, struct kprof_target, entry);
	unsigned long ip = instruction_pointer(regs);
	u32 own = kprof_probe_context(probe, regs);
	u64 start = kprof_clock();

	if (!READ_ONCE(kprof_running))
		return 0;
	if (unlikely(!target->source.id)) {
		/* This is not a source: calibrate.c measures what a kprobe costs. */
		kprof_latency_add(&this_cpu_ptr(target->cpu)->latency,
				  kprof_clock_ns(start, kprof_clock()), 0);
		return 0;
	}
	if (static_branch_unlikely(&kprof_nesting))
		kprof_nest_hit(target, kprof_level(own));
	instruction_pointer_set(regs, (unsigned long)probe->addr);
	kprof_call_passed(target, regs, own);
	instruction_pointer_set(regs, ip);
	/* Exclude the time of this, and of a breakpoint if it is one, from calls around it. */
	if (static_branch_unlikely(&kprof_nesting))
		kprof_nest_discount(kprof_level(own),
				    kprof_clock() - start + ticks_around(probe, own));
	return 0;
}
NOKPROBE_SYMBOL(on_entry);

static int on_call(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *probe = get_kretprobe(instance);
	struct kprof_call *call = (struct kprof_call *)instance->data;
	unsigned long ip = instruction_pointer(regs);
	struct kprof_target *target;
	struct kprof_entry entry __uninitialized;
	u64 arg[KPROF_NR_ARGS] __uninitialized;	/* read if there are keys at entry */
	bool wanted;
	u32 own;

	if (!probe || !READ_ONCE(kprof_running))
		return 1;
	target = container_of(probe, struct kprof_target, call);
	own = kprof_probe_context(&probe->kp, regs);
	/* What is not a source is called by calibrate.c, which counts every call. */
	if (likely(target->source.id) &&
	    (kprof_call_is_unsafe(target) || !kprof_call_has_room(target) ||
	     !kprof_call_is_wanted(target, current, own)))
		return 1;
	entry = (struct kprof_entry) {
		.arg = arg, .caller = kprof_caller(regs),
		.own = own, .regs = regs,
	};
	if (target->keys.at_entry)
		kprof_read_arguments(regs, arg);
	/* The unwinder must see the probed address, not that after the probe's own instruction. */
	instruction_pointer_set(regs, (unsigned long)probe->kp.addr);
	wanted = kprof_call_enter(call, target, &entry);
	instruction_pointer_set(regs, ip);
	return !wanted;
}
NOKPROBE_SYMBOL(on_call);

static int on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	kprof_call_leave((struct kprof_call *)instance->data, regs_return_value(regs));
	return 0;
}
NOKPROBE_SYMBOL(on_return);

/*
 * Functions that never return have no latency. (Functions that sometimes do not return,
 * because the task ends inside, are handled by kprof_inside_abandon().)
 */
static const char * const endless[] = {
	"do_exit", "do_group_exit", "do_task_dead", "make_task_dead", "kthread_exit",
	"kthread_complete_and_exit", "__module_put_and_kthread_exit", "__x64_sys_exit",
	"__x64_sys_exit_group", "__arm64_sys_exit", "__arm64_sys_exit_group", "panic",
	"cpu_startup_entry", "rest_init", "start_secondary", "secondary_start_kernel",
	"machine_real_restart", "stop_this_cpu",
};

static bool returns(const char *name)
{
	return match_string(endless, ARRAY_SIZE(endless), name) < 0;
}

/*
 * Every waiting task is inside of one of these functions, or every idle one. Removing the
 * trampoline would have to wait until each of them has been woken. Idle tasks are on no list,
 * and could not be let out of it.
 */
static const char * const waiting_rooms[] = {
	"schedule", "schedule_preempt_disabled", "schedule_idle", "io_schedule", "do_idle",
};

static bool is_waiting_room(const char *name)
{
	return match_string(waiting_rooms, ARRAY_SIZE(waiting_rooms), name) >= 0;
}

/* NULL: the trampoline can be used. More arguments than it copies would crash the kernel. */
static const char *why_not_direct(const struct kprof_target *target, const char *name,
				  bool by_ftrace)
{
	const char *why;

	if (!KPROF_HAS_DIRECT)
		return "there is no trampoline for this kernel";
	if (kprof_config->probe != KPROF_PROBES_AUTO)
		return "the parameter probe says so";
	if (!by_ftrace)
		return "ftrace does not trace it";
	if (is_waiting_room(name))
		return "each task that waits is in it";
	why = kprof_prototype_refuse(target->address);
	if (why)
		pr_info("target=%s: %s: taken by kretprobe\n", target->source.name, why);
	return why;
}

static int register_entry(struct kprof_target *target, bool enabled)
{
	target->entry = (struct kprobe) {
		.addr = (kprobe_opcode_t *)target->address,
		.flags = enabled ? 0 : KPROBE_FLAG_DISABLED,
		.pre_handler = on_entry,
	};
	return register_kprobe(&target->entry);
}

/**
 * kprof_target_register() - set up the probe of a function or a place in it, disabled
 * @target:	a target that is not watched; its name and symbol (or module:name) are set
 * @offset:	offset into the function
 * @addr:	an address to use instead of the symbol, or 0
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or what kprobes returned.
 */
int kprof_target_register(struct kprof_target *target, unsigned long offset,
			  unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];
	bool by_ftrace;
	int err;

	err = kprof_target_locate(target, offset, addr, &by_ftrace);
	if (err)
		return err;
	/* The function's name, however the target was named. */
	sprint_symbol_no_offset(name, target->address);
	name[strcspn(name, " ")] = '\0';	/* " [module]" */
	if (!offset && returns(name)) {
		target->why_call = why_not_direct(target, name, by_ftrace);
		if (!target->why_call) {
			target->probe = KPROF_PROBE_DIRECT;	/* settled later, with all others */
			return 0;
		}
		if (!kprof_target_fall_back(target, false, kprof_config->maxactive))
			return 0;
	}

	/* Not a function's entry; or it never returns, or its return may not be replaced. */
	return kprof_target_pass(target, false);
}

/**
 * kprof_target_pass() - watch a place by a kprobe
 * @target:	its address is known
 * @enabled:	whether to take samples at once
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or what kprobes returned.
 */
int kprof_target_pass(struct kprof_target *target, bool enabled)
{
	int err;

	kprof_target_settle(&target, 1);
	err = register_entry(target, enabled);
	if (!err)
		target->probe = KPROF_PROBE_ENTRY;
	return err;
}

/**
 * kprof_target_fall_back() - watch calls by a kretprobe
 * @target:	its address is known
 * @enabled:	whether to take samples at once
 * @maxactive:	number of calls that can be in progress at once
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or what kprobes returned.
 */
int kprof_target_fall_back(struct kprof_target *target, bool enabled, u32 maxactive)
{
	int err;

	kprof_target_settle(&target, 1);
	/* Calls come before kprof_targets_classify() knows. Only the trampoline keeps arguments. */
	if (target->keys.nr_keys)
		target->is_plain = false;
	target->call = (struct kretprobe) {
		.kp.addr = (kprobe_opcode_t *)target->address,
		.kp.flags = enabled ? 0 : KPROBE_FLAG_DISABLED,
		.entry_handler = on_call,
		.handler = on_return,
		.maxactive = maxactive,
		.data_size = sizeof(struct kprof_call),
	};
	err = register_kretprobe(&target->call);
	if (err)
		memset(&target->call, 0, sizeof(target->call));
	else
		target->probe = KPROF_PROBE_CALL;
	return err;
}

/* The kernel's own counts restart at 0 when a probe is registered again. */
static void keep_missed(struct kprof_target *target)
{
	target->calls_missed += target->call.nmissed;
	target->probes_missed += target->call.kp.nmissed + target->entry.nmissed;
	target->call.nmissed = 0;
	target->call.kp.nmissed = 0;
	target->entry.nmissed = 0;
}

/**
 * kprof_target_unregister() - stop watching targets; what was seen of them stays
 * @target:	the targets
 * @nr:		number of targets; done together, as most of the time is spent on waiting
 *
 * Context: sleeps; kprof_mutex is held, and kprof_direct_detach() was called.
 * Calls in progress return unwatched.
 */
void kprof_target_unregister(struct kprof_target **target, u32 nr)
{
	struct kprobe *probe[KPROF_UNREGISTER_BATCH];
	struct kretprobe *call[KPROF_UNREGISTER_BATCH];
	u32 i, probes = 0, calls = 0;

	for (i = 0; i < nr; i++)
		kprof_points_unregister(target[i]);
	kprof_target_settle(target, nr);
	for (i = 0; i < nr; i++) {
		if (target[i]->probe == KPROF_PROBE_CALL)
			call[calls++] = &target[i]->call;
		else if (target[i]->probe == KPROF_PROBE_ENTRY)
			probe[probes++] = &target[i]->entry;
	}
	unregister_kretprobes(call, calls);
	unregister_kprobes(probe, probes);
	for (i = 0; i < nr; i++) {
		keep_missed(target[i]);
		target[i]->probe = KPROF_PROBE_NONE;
	}
}

/**
 * kprof_target_enable() - enable or disable the probes of a target
 * @target:	any target
 * @enable:	whether to enable them
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno.
 */
int kprof_target_enable(struct kprof_target *target, bool enable)
{
	struct kprobe *probe = &target->entry;

	if (target->points)
		return kprof_points_enable(target, enable);
	if (kprof_target_lost(target))
		return 0;
	if (target->probe == KPROF_PROBE_CALL)
		probe = &target->call.kp;
	else if (target->probe != KPROF_PROBE_ENTRY)
		return 0;
	return enable ? enable_kprobe(probe) : disable_kprobe(probe);
}

/**
 * kprof_target_lost() - was the module that has a target unloaded
 * @target:	any target
 *
 * Context: any. Return: whether it was.
 */
bool kprof_target_lost(const struct kprof_target *target)
{
	return target->lost || kprof_points_lost(target) ||
	       ((target->entry.flags | target->call.kp.flags) & KPROBE_FLAG_GONE);
}
