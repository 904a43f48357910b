// SPDX-License-Identifier: GPL-2.0-only
/*
 * timer.c - take samples at a fixed rate on each CPU
 *
 * Uses one pinned timer per CPU. It expires in hard interrupt context, on PREEMPT_RT
 * too, because only there get_irq_regs() returns what was interrupted. It cannot
 * expire while interrupts are disabled. That time is charged to the place where they
 * are enabled again, with a weight that covers all of it.
 *
 * The timer must not take a CPU over. While the handler's share of a CPU's time is
 * above max_cpu, the period of that CPU is doubled; it is halved again when there is
 * room. The weight of a sample always says how much time it stands for.
 */
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/state.h"
#include "base/text.h"
#include "capture/capture.h"
#include "compat.h"
#include "sources/lateness.h"
#include "sources/sources.h"

/* The handler's share is measured over this time before the period changes. */
#define WINDOW		(100 * NSEC_PER_MSEC)

/* One expiry stands for at most this many ticks. */
#define MAX_TICKS	(1 << 12)

/**
 * struct own_timer - a CPU's timer
 * @timer:	the timer
 * @due:	number of ticks, of the configured period, that the next expiry stands for
 * @ticks:	the same for the expiries after it; above 1 while the period is doubled
 * @step:	@ticks in nanoseconds
 * @since:	start of the window
 * @busy:	kprof_clock() ticks spent in the handler since then
 * @lateness:	why it came late
 */
struct own_timer {
	struct hrtimer timer;
	u64 due;
	u64 ticks;
	u64 step;
	u64 since;
	u64 busy;
	struct kprof_lateness lateness;
};

static struct own_timer __percpu *timers;	/* allocated at the first start */
static u64 period;		/* nanoseconds; 0 before the first start */
static enum cpuhp_state hotplug_state;
static bool told;		/* the overload was logged since the start */
static kprof_late_fn *tell_late;

/* The period of the slowest CPU, as a multiple of the configured one. */
static u32 slowdown(void)
{
	u32 ticks = 1;
	int cpu;

	if (hotplug_state)
		for_each_online_cpu(cpu)
			ticks = max_t(u32, ticks, READ_ONCE(per_cpu_ptr(timers, cpu)->ticks));
	return ticks;
}

static void print_stats(struct kprof_source *source, const struct kprof_totals *totals,
			struct kprof_text *text)
{
	kprof_text_printf(text, "%s.throttled: %llu\n", source->name, totals->throttled);
	kprof_text_printf(text, "%s.overrun: %llu\n", source->name, totals->overrun);
	kprof_text_printf(text, "%s.late: %llu\n", source->name, totals->late);
	kprof_text_printf(text, "%s.slowdown: %u\n", source->name, slowdown());
}

static const struct kprof_source_kind timer_kind = {
	.name = "timer",
	.drops = KPROF_DROPS_ANY,
	.stats = print_stats,
};

static struct kprof_source timer_source = {
	.kind = &timer_kind,
	.name = "timer",
};

/* Printing from the timer is not safe: a console may take locks that the timer must not. */
static void tell(struct irq_work *unused)
{
	pr_warn("a sample takes too long for freq=%u: sampling slows down where it takes more than max_cpu=%u of a CPU\n",
		kprof_config->freq, kprof_config->max_cpu);
}

static DEFINE_IRQ_WORK(teller, tell);

static void set_ticks(struct own_timer *own, u64 ticks)
{
	WRITE_ONCE(own->ticks, ticks);
	own->step = ticks * period;
}

/*
 * A window has ended: double the period, or halve it again. Halve it only when less than a
 * quarter of max_cpu is used, or it would oscillate. The next expiry is already set.
 */
static noinline void adapt(struct own_timer *own, u64 now)
{
	u64 allowed = div_u64((now - own->since) * kprof_config->max_cpu, 100);
	u64 busy = kprof_clock_ns(0, own->busy);

	own->since = now;
	own->busy = 0;
	if (busy > allowed && own->ticks < MAX_TICKS) {
		hrtimer_add_expires_ns(&own->timer, own->step);
		set_ticks(own, 2 * own->ticks);
		own->due = own->ticks;
		if (!xchg(&told, true))
			irq_work_queue(&teller);
	} else if (busy < allowed / 4 && own->ticks > 1) {
		set_ticks(own, own->ticks / 2);
	}
}

/*
 * Set the next expiry. Return: number of ticks that were missed since the last one.
 *
 * Does not use hrtimer_forward(): with low-resolution timers, that rounds to jiffies
 * and does not say how many periods have passed. The fast clock may lag slightly
 * behind the timer's own; one period has passed even so.
 */
static u64 advance(struct own_timer *own, u64 now)
{
	u64 next = ktime_to_ns(hrtimer_get_expires(&own->timer)) + own->step, late = 0;

	if (unlikely(now >= next))
		late = div64_u64(now - next, own->step) + 1;
	hrtimer_add_expires_ns(&own->timer, own->step + late * own->step);
	own->due = own->ticks;
	late *= own->ticks;
	if (unlikely(now - own->since >= WINDOW))
		adapt(own, now);
	return late;
}

static noinline void count_late(u64 due, u64 late)
{
	struct kprof_account *account = this_cpu_ptr(timer_source.account);

	local64_add(late, &account->overrun);
	local64_add(due - 1, &account->throttled);
}

/**
 * kprof_sources_tell_late() - call a function where the timer comes a period late, or more
 * @tell:	the function; NULL for none; the one before may be called until synchronize_rcu()
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_sources_tell_late(kprof_late_fn *tell)
{
	WRITE_ONCE(tell_late, tell);
}

/* In its interrupt, which came that much later than it was to come. */
static noinline void come_late(struct kprof_event *event, u64 ns)
{
	kprof_late_fn *tell = READ_ONCE(tell_late);

	event->copy = &this_cpu_ptr(timers)->lateness.copy;
	if (tell && event->regs)
		tell(event->regs, ns);
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct own_timer *own = container_of(timer, struct own_timer, timer);
	u64 expired = ktime_to_ns(hrtimer_get_expires(timer));
	struct kprof_event event = {
		.source = &timer_source,
		.task = current,
		.regs = get_irq_regs(),
		.time = ktime_get_mono_fast_ns(),
		.own = HARDIRQ_OFFSET,
	};
	u64 began = kprof_clock_at(event.time);
	u64 due = own->due, late = advance(own, event.time);
	bool was_held_up;

	if (unlikely(!READ_ONCE(kprof_running))) {
		kprof_lateness_pause(&own->lateness);
		return HRTIMER_RESTART;
	}
	event.weight = (due + late) * period;
	if (unlikely(due + late > 1))
		count_late(due, late);
	/* A timer of low resolution comes that much late anyway. */
	was_held_up = late && event.time - expired >= own->step + hrtimer_resolution;
	if (unlikely(was_held_up))
		come_late(&event, event.time - expired);
	kprof_capture(&event);
	if (unlikely(was_held_up))
		kprof_lateness_note(&own->lateness, &timer_source, late * period);
	else
		kprof_lateness_look(&own->lateness, &timer_source);
	own->busy += kprof_clock() - began;
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(tick);

static int timer_online(unsigned int cpu)
{
	struct own_timer *own = this_cpu_ptr(timers);
	u64 now = ktime_get_mono_fast_ns(), stagger = div_u64(period * cpu, nr_cpu_ids);

	if (!cpumask_test_cpu(cpu, &kprof_config->cpus))
		return 0;
	own->due = 1;
	set_ticks(own, 1);
	own->since = now;
	own->busy = 0;
	kprof_lateness_start(&own->lateness);
	/* Stagger the CPUs. If all expired at once, they would measure each other's locks. */
	hrtimer_setup(&own->timer, tick, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_start(&own->timer, ns_to_ktime(now + period + stagger),
		      HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}

static int timer_offline(unsigned int cpu)
{
	struct own_timer *own = this_cpu_ptr(timers);

	if (!cpumask_test_cpu(cpu, &kprof_config->cpus))
		return 0;
	hrtimer_cancel(&own->timer);
	preempt_disable();
	kprof_lateness_tell(&own->lateness, &timer_source);
	preempt_enable();
	return 0;
}

/* Allocate what is needed from the first start on. */
static int prepare(void)
{
	if (!timers)
		timers = alloc_percpu(struct own_timer);
	if (!timers)
		return kprof_refuse(-ENOMEM, "event", "timer",
				    "no memory for the timers: %zu bytes for each of %u CPUs",
				    sizeof(*timers), num_possible_cpus());
	return timer_source.id ? 0 : kprof_source_add(&timer_source);
}

/* The hotplug callback starts timers on CPUs that come online later. */
static int start(const struct kprof_config *config)
{
	int err;

	period = div_u64(NSEC_PER_SEC, config->freq);
	told = false;
	err = prepare();
	if (err)
		return err;
	err = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kprof:timer", timer_online, timer_offline);
	if (err < 0)
		return kprof_refuse(err, "event", "timer",
				    "the kernel does not tell of CPUs that come and go: error %d",
				    err);
	hotplug_state = err;
	return 0;
}

static void stop(void)
{
	if (!hotplug_state)
		return;
	cpuhp_remove_state(hotplug_state);
	hotplug_state = 0;
	irq_work_sync(&teller);
}

static void forget(bool wanted)
{
	if (wanted)
		return;
	if (timer_source.id)
		kprof_source_remove(&timer_source);
	timer_source.id = 0;
	free_percpu(timers);
	timers = NULL;
}

static const char * const words[] = { "timer", NULL };

const struct kprof_source_ops kprof_timer_ops = {
	.words = words,
	.is_single = true,
	.start = start,
	.stop = stop,
	.forget = forget,
};
