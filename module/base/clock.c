// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - the clock that calls are measured with
 */
#include <linux/math64.h>

#include "base/clock.h"
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#endif

DEFINE_STATIC_KEY_FALSE(kprof_clock_is_tsc);

u64 kprof_clock_mult = 1ULL << KPROF_CLOCK_SHIFT;

#define LEAST_KHZ	250000	/* see kprof_clock_mult */

/**
 * kprof_clock_ns_long() - nanoseconds of many ticks, or of less than none
 * @ticks:	a difference of kprof_clock()
 *
 * Context: any, NMI included. Return: nanoseconds; 0 for a negative difference.
 */
u64 kprof_clock_ns_long(u64 ticks)
{
	return (s64)ticks < 0 ? 0 : mul_u64_u64_shr(ticks, kprof_clock_mult, KPROF_CLOCK_SHIFT);
}

/**
 * kprof_clock_has_tsc() - is the time-stamp counter good enough
 *
 * Context: any. Return: whether it is.
 */
bool kprof_clock_has_tsc(void)
{
#ifdef CONFIG_X86
	return boot_cpu_has(X86_FEATURE_TSC) && tsc_khz >= LEAST_KHZ && !check_tsc_unstable();
#else
	return false;
#endif
}

/**
 * kprof_clock_select() - choose the clock
 * @choice:	which; KPROF_CLOCK_TSC only where kprof_clock_has_tsc()
 *
 * Context: sleeps; nothing is measured meanwhile. Return: whether it is another one
 * than before.
 */
bool kprof_clock_select(enum kprof_clock_choice choice)
{
	bool was_tsc = static_key_enabled(&kprof_clock_is_tsc);

#ifdef CONFIG_X86
	if (choice != KPROF_CLOCK_MONO && kprof_clock_has_tsc()) {
		kprof_clock_mult = div_u64(1000000ULL << KPROF_CLOCK_SHIFT, tsc_khz);
		static_branch_enable(&kprof_clock_is_tsc);
		return !was_tsc;
	}
#endif
	kprof_clock_mult = 1ULL << KPROF_CLOCK_SHIFT;
	static_branch_disable(&kprof_clock_is_tsc);
	return was_tsc;
}
