// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - the clock that measures calls
 */
#include <linux/math64.h>

#include "base/clock.h"
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#endif
#ifdef CONFIG_ARM64
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <asm/arch_timer.h>
#endif

DEFINE_STATIC_KEY_FALSE(kprof_clock_is_counter);

u64 kprof_clock_mult = 1ULL << KPROF_CLOCK_SHIFT;

/**
 * kprof_clock_ns_long() - convert any number of ticks to nanoseconds, even a negative one
 * @ticks:	a difference of kprof_clock()
 *
 * Context: any, NMI included. Return: nanoseconds; 0 for a negative difference.
 */
u64 kprof_clock_ns_long(u64 ticks)
{
	return (s64)ticks < 0 ? 0 : mul_u64_u64_shr(ticks, kprof_clock_mult, KPROF_CLOCK_SHIFT);
}

#if defined(CONFIG_X86)
#define LEAST_HZ	250000000	/* see kprof_clock_mult */

static u64 counter_hz(void)
{
	return tsc_khz * 1000ULL;
}

static bool is_sound(void)
{
	return boot_cpu_has(X86_FEATURE_TSC) && !check_tsc_unstable();
}
#elif defined(CONFIG_ARM64)
#define LEAST_HZ	2000000

#define TRIES		8
#define TRY_US		2000

static u64 counter_hz(void)
{
	return arch_timer_get_cntfrq();
}

/* The counters of some processors need a workaround to read them. The kernel knows which. */
static bool has_erratum(void)
{
#ifdef CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(timer_unstable_counter_workaround, cpu))
			return true;
#endif
	return false;
}

/* Read both clocks at the same moment. */
static s64 read_both(s64 *ns)
{
	unsigned long flags;
	u64 ticks;

	local_irq_save(flags);
	*ns = ktime_get_raw_ns();
	ticks = kprof_clock_counter();
	local_irq_restore(flags);
	return ticks;
}

/* Does the frequency that the firmware reports match the kernel's clock? */
static bool is_frequency_true(void)
{
	s64 ticks, from, to, error;
	int i;

	/* A virtual machine may be paused between the two. */
	for (i = 0; i < TRIES; i++) {
		ticks = read_both(&from);
		usleep_range(TRY_US, 2 * TRY_US);
		ticks = read_both(&to) - ticks;
		error = div64_u64(ticks * NSEC_PER_SEC, counter_hz()) - (to - from);
		if (abs(error) < (to - from) / 64)
			return true;
	}
	return false;
}

static bool is_sound(void)
{
	static bool was_asked, is_true;

	if (has_erratum() || !counter_hz())
		return false;
	if (!was_asked)
		is_true = is_frequency_true();
	was_asked = true;
	return is_true;
}
#endif

/**
 * kprof_clock_has_counter() - can the processor's counter be used
 *
 * Context: sleeps. Return: whether it can.
 */
bool kprof_clock_has_counter(void)
{
	return is_sound() && counter_hz() >= LEAST_HZ;
}

/**
 * kprof_clock_tick_ns() - resolution of the clock that measures calls
 *
 * Context: any. Return: nanoseconds of a tick, rounded up.
 */
u32 kprof_clock_tick_ns(void)
{
	u64 hz = counter_hz();

	/* On arm64, the kernel's clock uses this counter, too. */
	if (hz && (IS_ENABLED(CONFIG_ARM64) || static_key_enabled(&kprof_clock_is_counter)))
		return div64_u64(NSEC_PER_SEC + hz - 1, hz);
	return 1;
}

/**
 * kprof_clock_select() - choose the clock
 * @choice:	the clock; KPROF_CLOCK_COUNTER only if kprof_clock_has_counter()
 *
 * Context: sleeps; nothing is measured meanwhile. Return: whether the clock has
 * changed.
 */
bool kprof_clock_select(enum kprof_clock_choice choice)
{
	bool was_counter = static_key_enabled(&kprof_clock_is_counter);

	if (choice != KPROF_CLOCK_MONO && kprof_clock_has_counter()) {
		kprof_clock_mult = div64_u64((u64)NSEC_PER_SEC << KPROF_CLOCK_SHIFT, counter_hz());
		static_branch_enable(&kprof_clock_is_counter);
		return !was_counter;
	}
	kprof_clock_mult = 1ULL << KPROF_CLOCK_SHIFT;
	static_branch_disable(&kprof_clock_is_counter);
	return was_counter;
}
