// SPDX-License-Identifier: GPL-2.0-only
/*
 * stutter.c - something takes a CPU again and again: in a timer, a thread, with interrupts off
 *
 * There are six functions that spin, all alike, and four contexts they can be called from. The
 * token decides who calls which, on which CPU, how often and for how long; two more do so for a
 * moment only. Names say nothing, so that only measuring helps.
 */
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/smp.h>
#include <linux/timer.h>

#include "../../../module/compat.h"
#include "../../lib/module.h"
#include "../../lib/thread.h"
#include "../params.h"

#define TURNS	500	/* between two looks at the clock: so few samples fall into that */

struct work {
	struct stutter_work is;
	struct timer_list timer;
	struct hrtimer hrtimer;
	struct task_struct *task;
	unsigned long next;	/* jiffies; the timer's */
	u64 spun_ns, calls;	/* written by whom the work is done by, alone */
};

static struct work works[3];
static bool stopping;
static u64 begun_ns;

/*
 * With interrupts off if it is such work. It goes on for a time of the clock, whatever the
 * machine's speed; what interrupts then do that had to wait is not counted.
 */
static __always_inline void spin(struct work *work)
{
	bool irqs_off = work->is.context == STUTTER_IRQS_OFF;
	u64 spin_ns = (u64)work->is.spin_us * NSEC_PER_USEC;
	unsigned long flags = 0, turns;
	u64 begin, now;

	if (irqs_off)
		local_irq_save(flags);
	begin = ktime_get_mono_fast_ns();
	do {
		for (turns = 0; turns < TURNS; turns++)
			barrier();
		now = ktime_get_mono_fast_ns();
	} while (now - begin < spin_ns);
	work->spun_ns += now - begin;
	if (irqs_off)
		local_irq_restore(flags);
}

/* Each has a body of its own, or the compiler would fold them into one. */
#define DEFINE_FUNCTION(name)						\
static noinline __noclone void name(struct work *work)			\
{									\
	spin(work);							\
	asm volatile("# " #name);					\
}

DEFINE_FUNCTION(lab_amber)
DEFINE_FUNCTION(lab_birch)
DEFINE_FUNCTION(lab_cedar)
DEFINE_FUNCTION(lab_delta)
DEFINE_FUNCTION(lab_ember)
DEFINE_FUNCTION(lab_frost)

static void (*const functions[STUTTER_FUNCTIONS])(struct work *work) = {
	lab_amber, lab_birch, lab_cedar, lab_delta, lab_ember, lab_frost
};

static void do_work(struct work *work)
{
	functions[work->is.function](work);
	work->calls++;
}

/* The next one is due a period after this one was: work does not put it off. */
static void on_timer(struct timer_list *timer)
{
	struct work *work = container_of(timer, struct work, timer);

	do_work(work);
	if (READ_ONCE(stopping))
		return;
	work->next += msecs_to_jiffies(work->is.period_ms);
	work->timer.expires = work->next;
	add_timer_on(&work->timer, work->is.cpu);
}

static enum hrtimer_restart on_hrtimer(struct hrtimer *hrtimer)
{
	struct work *work = container_of(hrtimer, struct work, hrtimer);

	do_work(work);
	hrtimer_forward_now(hrtimer, ms_to_ktime(work->is.period_ms));
	return HRTIMER_RESTART;
}

/* An hrtimer fires where it was started. */
static void start_hrtimer(void *data)
{
	struct work *work = data;

	hrtimer_start(&work->hrtimer, ms_to_ktime(work->is.period_ms),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static int run_thread(void *data)
{
	struct work *work = data;
	ktime_t next = ktime_get();

	while (!kthread_should_stop()) {
		do_work(work);
		next = ktime_add_ms(next, work->is.period_ms);
		lab_sleep(next, HRTIMER_MODE_ABS);
	}
	return 0;
}

static int start(struct work *work)
{
	switch (work->is.context) {
	case STUTTER_SOFTIRQ:
		work->next = jiffies + msecs_to_jiffies(work->is.period_ms);
		work->timer.expires = work->next;
		add_timer_on(&work->timer, work->is.cpu);
		return 0;
	case STUTTER_HARDIRQ:
		return smp_call_function_single(work->is.cpu, start_hrtimer, work, true);
	default:
		/* The name does not say on which CPU. */
		work->task = kthread_create_on_cpu(run_thread, work, work->is.cpu, "lab");
		if (IS_ERR(work->task))
			return PTR_ERR(work->task);
		wake_up_process(work->task);
		return 0;
	}
}

static void stop_all(void)
{
	int i;

	WRITE_ONCE(stopping, true);
	for (i = 0; i < ARRAY_SIZE(works); i++) {
		timer_delete_sync(&works[i].timer);
		hrtimer_cancel(&works[i].hrtimer);
		if (!IS_ERR_OR_NULL(works[i].task))
			kthread_stop(works[i].task);
	}
}

/* Since when, until when, and, of each work, how long and how often; the culprit's first. */
static void ledger_fill(struct seq_file *file)
{
	int i;

	ledger_write(file, begun_ns);
	ledger_write(file, ktime_get_mono_fast_ns());
	for (i = 0; i < ARRAY_SIZE(works); i++) {
		ledger_write(file, READ_ONCE(works[i].spun_ns));
		ledger_write(file, READ_ONCE(works[i].calls));
	}
}

static int __init stutter_init(void)
{
	struct stutter_params params;
	int i, err = lab_begin();

	if (err)
		return err;
	stutter_params(&params, lab_token);
	works[0].is = params.culprit;
	works[1].is = params.decoy[0];
	works[2].is = params.decoy[1];
	begun_ns = ktime_get_mono_fast_ns();
	for (i = 0; i < ARRAY_SIZE(works); i++) {
		timer_setup(&works[i].timer, on_timer, TIMER_PINNED);
		hrtimer_setup(&works[i].hrtimer, on_hrtimer, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
	}
	cpus_read_lock();
	for (i = 0; i < ARRAY_SIZE(works) && !err; i++)
		err = cpu_online(works[i].is.cpu) ? start(&works[i]) : -ENXIO;
	cpus_read_unlock();
	if (err) {
		stop_all();
		lab_end();
	}
	return err;
}

static void __exit stutter_exit(void)
{
	stop_all();
	lab_end();
}

module_init(stutter_init);
module_exit(stutter_exit);

MODULE_DESCRIPTION("a lab of kprof");
MODULE_LICENSE("GPL");
