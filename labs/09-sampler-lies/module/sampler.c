// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampler.c - a thread that does the same at the same moment of every period
 *
 * It calls two functions, one after the other, and sleeps for the rest of the period. Who samples
 * with that period, or a multiple of it, meets always the same; unless each period is as long as
 * chance has it.
 */
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>

#include "../../lib/module.h"
#include "../../lib/thread.h"
#include "../params.h"

static struct sampler_params params;
static struct task_struct *task;
static u64 begun_ns, spun_ns[2], due_ns, periods;

/* Each has a body of its own, or the compiler would fold them into one. */
static noinline __noclone void lab_north(u64 end)
{
	lab_spin_until(end);
	asm volatile("# north");
}

static noinline __noclone void lab_south(u64 end)
{
	lab_spin_until(end);
	asm volatile("# south");
}

static int run(void *unused)
{
	u64 begin, between, now, period, next = ktime_get_mono_fast_ns();

	while (!kthread_should_stop()) {
		period = sampler_period_ns(&params, lab_token, periods);
		begin = ktime_get_mono_fast_ns();
		lab_north(begin + period / 100 * params.percent[0]);
		between = ktime_get_mono_fast_ns();
		lab_south(between + period / 100 * params.percent[1]);
		now = ktime_get_mono_fast_ns();
		spun_ns[0] += between - begin;
		spun_ns[1] += now - between;
		due_ns += period;
		periods++;

		/* What was missed is not made up for: that would be another period. */
		next = lab_next(next, period);
		lab_sleep(ns_to_ktime(next), HRTIMER_MODE_ABS);
	}
	return 0;
}

/* Since when, until when, how long in each of the two, how long all periods were. */
static void ledger_fill(struct seq_file *file)
{
	ledger_write(file, begun_ns);
	ledger_write(file, ktime_get_mono_fast_ns());
	ledger_write(file, READ_ONCE(spun_ns[0]));
	ledger_write(file, READ_ONCE(spun_ns[1]));
	ledger_write(file, READ_ONCE(due_ns));
}

static int __init sampler_init(void)
{
	int err = lab_begin();

	if (err)
		return err;
	sampler_params(&params, lab_token);
	begun_ns = ktime_get_mono_fast_ns();
	task = kthread_run(run, NULL, "lab");
	if (IS_ERR(task))
		lab_end();
	return PTR_ERR_OR_ZERO(task);
}

static void __exit sampler_exit(void)
{
	kthread_stop(task);
	lab_end();
}

module_init(sampler_init);
module_exit(sampler_exit);

MODULE_DESCRIPTION("a lab of kprof");
MODULE_LICENSE("GPL");
