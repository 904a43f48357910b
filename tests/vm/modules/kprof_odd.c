// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_odd.c - what is rare, on demand: what kprof has to leave out, and count
 *
 * Writing to a parameter does it and returns when it is done:
 *
 * call=N	odd_called is called N times
 * hold=N	N more threads on this CPU, all of which are inside of odd_held then
 * release=N	those N of them that have been inside longest return, and end
 * nested=0|1	1: whenever kprof has taken a sample, and is not yet done with
 *		it, odd_called is called. To be undone before kprof is unloaded.
 * reentry=N	odd_outer is called N times, where a kprobe of this module's calls
 *		odd_called
 * births=N	N threads begin, one after the other, and end at once
 * noregs=MS	an interrupt of this CPU takes MS milliseconds, and forgets which registers
 *		it has interrupted: timers that are due meanwhile find none
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/wait.h>
#include <asm/irq_regs.h>

#include "../../../module/compat.h"

struct kprof_record;

static noinline __noclone unsigned long odd_called(unsigned long n)
{
	asm volatile("# called");
	return n + 1;
}

static noinline __noclone void odd_outer(void)
{
	asm volatile("# outer");
}

static int do_call(const char *text, const struct kernel_param *kp)
{
	unsigned long n, i;
	int err = kstrtoul(text, 0, &n);

	for (i = 0; !err && i < n; i++)
		odd_called(i);
	return err;
}

/* --- calls that do not return until they are told to --- */

static DECLARE_WAIT_QUEUE_HEAD(queue);
static DECLARE_COMPLETION(one_inside);
static DECLARE_COMPLETION(one_ended);
static unsigned long held, released;	/* ever */

static noinline __noclone void odd_held(unsigned long number)
{
	complete(&one_inside);
	wait_event_idle(queue, READ_ONCE(released) >= number);
}

static int hold_thread(void *number)
{
	odd_held((unsigned long)number);
	kthread_complete_and_exit(&one_ended, 0);
}

/* One after the other: that is the order in which they are released. */
static int hold_one(unsigned long number)
{
	struct task_struct *task;

	task = kthread_create_on_cpu(hold_thread, (void *)number, raw_smp_processor_id(),
				     "odd-held/%u");
	if (IS_ERR(task))
		return PTR_ERR(task);
	wake_up_process(task);
	wait_for_completion(&one_inside);
	held = number;
	return 0;
}

static int do_hold(const char *text, const struct kernel_param *kp)
{
	unsigned long n;
	int err = kstrtoul(text, 0, &n);

	while (!err && n--)
		err = hold_one(held + 1);
	return err;
}

/* Each has returned before the next may: who comes first matters where there is one row left. */
static void release(unsigned long n)
{
	n = min(n, held - released);
	while (n--) {
		WRITE_ONCE(released, released + 1);
		wake_up_all(&queue);
		wait_for_completion(&one_ended);
	}
}

static int do_release(const char *text, const struct kernel_param *kp)
{
	unsigned long n;
	int err = kstrtoul(text, 0, &n);

	if (!err)
		release(n);
	return err;
}

/* --- a sample inside of a sample --- */

static struct tracepoint *sample_event;
static bool is_nested;
static DEFINE_PER_CPU(u8, depth);

/* As deep as interrupts can be on top of each other, even if nobody else sees to that. */
static void on_sample(void *unused, const char *source, unsigned long ip,
		      const struct kprof_record *record)
{
	if (this_cpu_inc_return(depth) <= 4)
		odd_called(0);
	this_cpu_dec(depth);
}

static int find_sample_event(struct notifier_block *block, unsigned long event, void *data)
{
	struct tp_module *from = data;
	struct tracepoint *tracepoint;
	unsigned int i;

	for (i = 0; i < from->mod->num_tracepoints && event == MODULE_STATE_COMING; i++) {
		tracepoint = tracepoint_ptr_deref(&from->mod->tracepoints_ptrs[i]);
		if (!strcmp(from->mod->name, "kprof") && !strcmp(tracepoint->name, "sample"))
			sample_event = tracepoint;
	}
	return NOTIFY_OK;
}

static int begin_nested(void)
{
	struct notifier_block finder = { .notifier_call = find_sample_event };
	int err;

	sample_event = NULL;
	err = register_tracepoint_module_notifier(&finder);
	if (err)
		return err;
	unregister_tracepoint_module_notifier(&finder);
	if (!sample_event)
		return -ENOENT;
	return tracepoint_probe_register(sample_event, on_sample, NULL);
}

static int do_nested(const char *text, const struct kernel_param *kp)
{
	bool nested;
	int err = kstrtobool(text, &nested);

	if (err || nested == is_nested)
		return err;
	if (nested) {
		err = begin_nested();
	} else {
		tracepoint_probe_unregister(sample_event, on_sample, NULL);
		tracepoint_synchronize_unregister();
	}
	if (!err)
		is_nested = nested;
	return err;
}

/* --- a probe inside of a probe --- */

static int on_outer(struct kprobe *probe, struct pt_regs *regs)
{
	odd_called(0);
	return 0;
}

static struct kprobe outer_probe = {
	.symbol_name = "odd_outer",
	.pre_handler = on_outer,
};

static int do_reentry(const char *text, const struct kernel_param *kp)
{
	unsigned long n;
	int err = kstrtoul(text, 0, &n);

	if (!err)
		err = register_kprobe(&outer_probe);
	if (err)
		return err;
	while (n--)
		odd_outer();
	unregister_kprobe(&outer_probe);
	outer_probe.addr = NULL;	/* by its name again, the next time */
	outer_probe.flags = 0;
	return 0;
}

/* --- an interrupt without registers --- */

static unsigned long without_ms;
static struct completion is_over;
static struct hrtimer timer;

static enum hrtimer_restart without_regs(struct hrtimer *unused)
{
	u64 end = ktime_get_mono_fast_ns() + without_ms * NSEC_PER_MSEC;

	/* Who has called the timers puts back what was before the interrupt. */
	set_irq_regs(NULL);
	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
	complete(&is_over);
	return HRTIMER_NORESTART;
}

static int do_noregs(const char *text, const struct kernel_param *kp)
{
	int err = kstrtoul(text, 0, &without_ms);

	if (err)
		return err;
	init_completion(&is_over);
	hrtimer_setup(&timer, without_regs, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_PINNED_HARD);
	wait_for_completion(&is_over);
	hrtimer_cancel(&timer);
	return 0;
}

static int do_nothing(void *unused)
{
	return 0;
}

static int do_births(const char *text, const struct kernel_param *kp)
{
	struct task_struct *task;
	unsigned long n;
	int err = kstrtoul(text, 0, &n);

	while (!err && n--) {
		task = kthread_run(do_nothing, NULL, "odd-birth");
		err = PTR_ERR_OR_ZERO(task);
		if (!err)
			kthread_stop(task);
	}
	return err;
}

#define TRIGGER(name)							\
	static const struct kernel_param_ops name##_ops = { .set = do_##name };	\
	module_param_cb(name, &name##_ops, NULL, 0200)

TRIGGER(call);
TRIGGER(hold);
TRIGGER(release);
TRIGGER(nested);
TRIGGER(reentry);
TRIGGER(births);
TRIGGER(noregs);

static int __init odd_init(void)
{
	return 0;
}

static void __exit odd_exit(void)
{
	release(ULONG_MAX);
	do_nested("0", NULL);
}

module_init(odd_init);
module_exit(odd_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("What is rare, on demand");
