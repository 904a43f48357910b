/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the clock that calls are measured with
 *
 * The processor's own counter where it is the same on all CPUs and never stops: the
 * time-stamp counter of x86-64, the virtual counter of arm64. It takes a tenth of what the
 * kernel's clock does. Records and samples always carry the kernel's clock.
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
#ifdef CONFIG_ARM64
#include <asm/sysreg.h>
#endif

#include "base/config.h"

DECLARE_STATIC_KEY_FALSE(kprof_clock_is_counter);

/*
 * Nanoseconds per tick, times 2^SHIFT. It fits 33 bits where x86-64 has at least 250 MHz, and
 * arm64, where 1 GHz is much and 25 MHz are not rare, at least 2 MHz.
 */
#ifdef CONFIG_X86
#define KPROF_CLOCK_SHIFT	31
#define KPROF_CLOCK_NAME	"tsc"
#else
#define KPROF_CLOCK_SHIFT	24
#define KPROF_CLOCK_NAME	"cntvct"
#endif
extern u64 kprof_clock_mult;

/* The counter, where it is known to be good. */
static __always_inline u64 kprof_clock_counter(void)
{
#if defined(CONFIG_X86)
	return rdtsc();
#elif defined(CONFIG_ARM64)
	return read_sysreg(cntvct_el0);
#else
	return 0;
#endif
}

/* Context: any, NMI included. Return: ticks; only differences mean something. */
static __always_inline u64 kprof_clock(void)
{
	if (static_branch_likely(&kprof_clock_is_counter))
		return kprof_clock_counter();
	return ktime_get_mono_fast_ns();
}

/* Context: as above. @now: ktime_get_mono_fast_ns(), just asked. Return: this moment's ticks. */
static __always_inline u64 kprof_clock_at(u64 now)
{
	if (static_branch_likely(&kprof_clock_is_counter))
		return kprof_clock_counter();
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

bool kprof_clock_has_counter(void);
u32 kprof_clock_tick_ns(void);
bool kprof_clock_select(enum kprof_clock_choice choice);

#endif /* KPROF_CLOCK_H */
