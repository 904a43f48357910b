// SPDX-License-Identifier: GPL-2.0-only
/*
 * ending.c - handles tasks that end inside of watched calls, which then never return
 */
#include <linux/errno.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "base/tracepoint.h"
#include "calls/calls.h"
#include "compat.h"
#include "trampoline/inside.h"
#include "trampoline/trampoline.h"

static struct tracepoint *process_exit;

static void abandon(void)
{
	kprof_inside_abandon();
	kprof_nest_abandon();
}

static KPROF_ON_PROCESS_EXIT(on_process_exit)
{
	abandon();
}

/* The task goes on to do_exit() from the top of its stack, where nothing is left of its calls. */
static int on_die(struct notifier_block *block, unsigned long event, void *unused)
{
	if (event == DIE_OOPS)
		abandon();
	return NOTIFY_DONE;
}
NOKPROBE_SYMBOL(on_die);

static struct notifier_block die_notifier = {
	.notifier_call = on_die,
	.priority = INT_MIN,	/* after those that may decide that nothing has happened */
};

static void unwatch_process_exit(void)
{
	tracepoint_probe_unregister(process_exit, on_process_exit, NULL);
	tracepoint_synchronize_unregister();
}

/**
 * kprof_ending_init() - start watching tasks end
 *
 * Context: sleeps. Return: 0 or an errno.
 */
int kprof_ending_init(void)
{
	int err;

	kprof_nest_init();
	check_trace_callback_type_sched_process_exit(on_process_exit);
	process_exit = kprof_kernel_tracepoint("sched_process_exit");
	if (!process_exit)
		return -ENODEV;
	err = tracepoint_probe_register(process_exit, on_process_exit, NULL);
	if (err)
		return err;
	err = register_die_notifier(&die_notifier);
	if (err)
		unwatch_process_exit();
	return err;
}

/**
 * kprof_ending_exit() - undo kprof_ending_init()
 *
 * Context: sleeps; no target is watched any more.
 */
void kprof_ending_exit(void)
{
	unregister_die_notifier(&die_notifier);
	unwatch_process_exit();
}
