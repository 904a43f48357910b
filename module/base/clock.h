/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the clock that calls are measured with
 *
 * The time-stamp counter where it is the same on all CPUs and never stops: it
 * takes a tenth of what the kernel's clock does. Records and samples always
 * carry the kernel's clock.
 */
#ifndef KPROF_CLOCK_H
#define KPROF_CLOCK_H

#include <linux/jump_label.h>
#include <linux/math64.h>
#include <linux/ktime.h>
#include <linux/timekeeping.h>
#ifdef CONFIG_X86
#include <asm/msr.h>
#endif

#include "base/config.h"

DECLARE_STATIC_KEY_FALSE(kprof_clock_is_tsc);
/* Nanoseconds per tick, times 2^31: fits 33 bits from 250 MHz on. */
#define KPROF_CLOCK_SHIFT	31
extern u64 kprof_clock_mult;

/* Context: any, NMI included. Return: ticks; only differences mean something. */
static __always_inline u64 kprof_clock(void)
{
#ifdef CONFIG_X86
	if (static_branch_likely(&kprof_clock_is_tsc))
		return rdtsc();
#endif
	return ktime_get_mono_fast_ns();
}

/* The same, where kprof_clock_is_tsc is known to be on. */
static __always_inline u64 kprof_clock_tsc(void)
{
#ifdef CONFIG_X86
	return rdtsc();
#else
	return 0;
#endif
}

/* Context: as above. @now: ktime_get_mono_fast_ns(), just asked. Return: this moment's ticks. */
static __always_inline u64 kprof_clock_at(u64 now)
{
#ifdef CONFIG_X86
	if (static_branch_likely(&kprof_clock_is_tsc))
		return rdtsc();
#endif
	return now;
}

u64 kprof_clock_ns_long(u64 ticks);

/* No need for 128 bits. */
static __always_inline bool kprof_clock_is_short(u64 ticks)
{
	return ticks <= S32_MAX;
}

static __always_inline u64 kprof_clock_ns_short(u64 ticks)
{
	return (ticks * kprof_clock_mult) >> KPROF_CLOCK_SHIFT;
}

/* Context: any. Return: nanoseconds; 0 for what clocks of two CPUs make negative. */
static __always_inline u64 kprof_clock_ns(u64 from, u64 to)
{
	u64 ticks = to - from;

	return likely(kprof_clock_is_short(ticks)) ? kprof_clock_ns_short(ticks) :
						     kprof_clock_ns_long(ticks);
}

bool kprof_clock_has_tsc(void);
bool kprof_clock_select(enum kprof_clock_choice choice);

#endif /* KPROF_CLOCK_H */
