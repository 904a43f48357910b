/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the clock that measures calls
 *
 * This is the processor's own counter, if it is the same on all CPUs and never stops: the
 * time-stamp counter of x86-64, or the virtual counter of arm64. Reading it takes a tenth of
 * the time of the kernel's clock. Records and samples always carry the kernel's clock.
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
 * Nanoseconds per tick, times 2^SHIFT. This fits into 33 bits if the counter runs at 250 MHz or
 * more on x86-64, or 2 MHz or more on arm64, where 1 GHz is a lot and 25 MHz is not rare.
 */
#ifdef CONFIG_X86
#define KPROF_CLOCK_SHIFT	31
#define KPROF_CLOCK_NAME	"tsc"
#else
#define KPROF_CLOCK_SHIFT	24
#define KPROF_CLOCK_NAME	"cntvct"
#endif
extern u64 kprof_clock_mult;

/* Read the counter, if it is known to be usable. */
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

/* Context: any, NMI included. Return: ticks; only differences have a meaning. */
static __always_inline u64 kprof_clock(void)
{
	if (static_branch_likely(&kprof_clock_is_counter))
		return kprof_clock_counter();
	return ktime_get_mono_fast_ns();
}

/* Context: as above. @now: ktime_get_mono_fast_ns(), just read. Return: ticks at this moment. */
static __always_inline u64 kprof_clock_at(u64 now)
{
	if (static_branch_likely(&kprof_clock_is_counter))
		return kprof_clock_counter();
	return now;
}

u64 kprof_clock_ns_long(u64 ticks);

/* Does the conversion fit into 64 bits? */
static __always_inline bool kprof_clock_is_short(u64 ticks)
{
	return ticks <= S32_MAX;
}

static __always_inline u64 kprof_clock_ns_short(u64 ticks)
{
	return (ticks * kprof_clock_mult) >> KPROF_CLOCK_SHIFT;
}

/* Context: any. Return: nanoseconds; 0 if the clocks of two CPUs made the difference negative. */
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
