// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracer.c - checks that ftrace, which calls the trampoline, works, and keeps it on
 *
 * kernel.ftrace_enabled=0 removes all ftrace calls from the kernel without notification. That
 * includes those of the trampoline, and of kprobes at the start of functions. But the kernel
 * refuses it while a permanent ftrace_ops is registered. So kprof keeps one registered, on a
 * function that nobody calls, while targets are watched or a kprobe reports what processes map.
 *
 * ftrace also disables itself until the next boot when it finds an inconsistency.
 * It then continues to call what it calls at that time.
 */
#include <linux/ftrace.h>
#include <linux/string.h>

#include "base/error.h"
#include "base/stay.h"
#include "trampoline/probed.h"
#include "trampoline/tracer.h"
#include "trampoline/trampoline.h"

static u32 holders;	/* KPROF_TRACER_* */

static void on_guarded(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs)
{
}

static struct ftrace_ops guard;

/* Put a function into the filter of an unregistered ftrace_ops. Return: what ftrace returns. */
static int filter_idle(unsigned long function)
{
	static struct ftrace_ops idle;
	int err;

	memset(&idle, 0, sizeof(idle));	/* else it keeps pointers to what was freed */
	err = ftrace_set_filter_ip(&idle, function, 0, 1);
	ftrace_free_filter(&idle);
	return err;
}

/**
 * kprof_tracer_is_dead() - has ftrace disabled itself
 *
 * Context: sleeps. Return: whether it has.
 */
bool kprof_tracer_is_dead(void)
{
	return filter_idle((unsigned long)kprof_guarded) == -ENODEV;
}

/**
 * kprof_tracer_has_call() - can ftrace insert a call at a function's start
 * @function:	its address
 *
 * Context: sleeps; kprof_mutex is held. Return: whether it can.
 */
bool kprof_tracer_has_call(unsigned long function)
{
	return !filter_idle(function);
}

static int refuse_dead(void)
{
	return kprof_refuse(-ENODEV, "enable", "1",
			    "ftrace has switched itself off after a fault (see the kernel's log), so that no call can be watched; reboot");
}

static int refuse_hold(int err)
{
	if (err == -EBUSY)
		return kprof_refuse(-ENODEV, "enable", "1",
				    "ftrace is off, so that no call would be seen; write 1 to /proc/sys/kernel/ftrace_enabled first");
	return kprof_refuse(-ENODEV, "enable", "1", "ftrace cannot be held on: error %d", err);
}

/* Without direct calls the trampoline's own ftrace_ops is permanent; see hook_callback_arm64.c. */
static bool needs_guard(u32 who)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) ? who : who & KPROF_TRACER_USER;
}

/* Register the guard. Return: what ftrace returns; -EBUSY if ftrace is off. */
static int raise_guard(void)
{
	int err;

	guard = (struct ftrace_ops) {
		.func = on_guarded,
		.flags = FTRACE_OPS_FL_PERMANENT,
	};
	err = ftrace_set_filter_ip(&guard, (unsigned long)kprof_guarded, 0, 1);
	if (!err)
		err = register_ftrace_function(&guard);
	if (err)
		ftrace_free_filter(&guard);
	return err;
}

/* Return: whether it could be dropped. */
static bool drop_guard(void)
{
	if (kprof_tracer_is_dead() || unregister_ftrace_function(&guard)) {
		kprof_stay();
		return false;
	}
	ftrace_free_filter(&guard);
	return true;
}

/**
 * kprof_tracer_hold() - make sure that ftrace is on and stays on
 * @holder:	who needs it
 *
 * Context: sleeps; kprof_mutex is held. Return: 0, also if it is held already; or
 * -ENODEV, and kprof_refuse() has the reason.
 */
int kprof_tracer_hold(enum kprof_tracer_holder holder)
{
	int err;

	if (kprof_tracer_is_dead())
		return refuse_dead();
	if (holders & holder && needs_guard(holders))
		return 0;
	if (!needs_guard(holders)) {
		/*
		 * To see whether ftrace is on, if for nothing else; each time, as it may have been
		 * switched off while none of the holders had an ftrace_ops.
		 */
		err = raise_guard();
		if (err)
			return refuse_hold(err);
		if (!needs_guard(holder) && !drop_guard())
			return refuse_dead();
	}
	holders |= holder;
	return 0;
}

/**
 * kprof_tracer_release() - let others decide about kernel.ftrace_enabled
 * @holder:	who no longer needs ftrace; may be one that did not hold it
 *
 * Context: sleeps; kprof_mutex is held, and ftrace no longer does anything for @holder.
 */
void kprof_tracer_release(enum kprof_tracer_holder holder)
{
	u32 left = holders & ~holder;

	if (!needs_guard(holders) || needs_guard(left) || drop_guard())
		holders = left;
}
