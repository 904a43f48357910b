// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracer.c - is ftrace, which calls the trampoline, alive and on, and does it stay so
 *
 * kernel.ftrace_enabled=0 takes every call of ftrace's out of the kernel, those of the
 * trampoline and of kprobes at the start of functions, without a word to anybody. But it is
 * refused while somebody is registered for good. So somebody is, at a function that nobody
 * calls, as long as targets are watched, or a kprobe tells of what processes map.
 *
 * And ftrace switches itself off until the next boot when it meets what it does not expect.
 * What it calls then it goes on calling.
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

/* What ftrace says to a function in the filter of somebody who is never registered. */
static int filter_idle(unsigned long function)
{
	static struct ftrace_ops idle;
	int err;

	memset(&idle, 0, sizeof(idle));	/* what is freed stays in it otherwise */
	err = ftrace_set_filter_ip(&idle, function, 0, 1);
	ftrace_free_filter(&idle);
	return err;
}

/**
 * kprof_tracer_is_dead() - has ftrace switched itself off
 *
 * Context: sleeps. Return: whether it has.
 */
bool kprof_tracer_is_dead(void)
{
	return filter_idle((unsigned long)kprof_guarded) == -ENODEV;
}

/**
 * kprof_tracer_has_call() - is there a place for ftrace's call at a function's start
 * @function:	its address
 *
 * Context: sleeps; kprof_mutex is held. Return: whether there is.
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

/**
 * kprof_tracer_hold() - see to it that ftrace is on, and stays on
 * @holder:	who needs it
 *
 * Context: sleeps; kprof_mutex is held. Return: 0, nothing more if it is held
 * already; or -ENODEV with the reason told by kprof_refuse().
 */
int kprof_tracer_hold(enum kprof_tracer_holder holder)
{
	int err;

	if (kprof_tracer_is_dead())
		return refuse_dead();
	if (holders) {
		holders |= holder;
		return 0;
	}
	guard = (struct ftrace_ops) {
		.func = on_guarded,
		.flags = FTRACE_OPS_FL_PERMANENT,
	};
	err = ftrace_set_filter_ip(&guard, (unsigned long)kprof_guarded, 0, 1);
	if (!err)
		err = register_ftrace_function(&guard);
	if (err) {
		ftrace_free_filter(&guard);
		return refuse_hold(err);
	}
	holders = holder;
	return 0;
}

/**
 * kprof_tracer_release() - let kernel.ftrace_enabled be what others want
 * @holder:	who needs it no more; nothing if it did not
 *
 * Context: sleeps; kprof_mutex is held, and ftrace does nothing for @holder any more.
 */
void kprof_tracer_release(enum kprof_tracer_holder holder)
{
	if (holders != holder) {
		holders &= ~holder;
		return;
	}
	if (kprof_tracer_is_dead() || unregister_ftrace_function(&guard)) {
		kprof_stay();
		return;
	}
	ftrace_free_filter(&guard);
	holders = 0;
}
