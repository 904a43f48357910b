// SPDX-License-Identifier: GPL-2.0-only
/*
 * lateness.c - why the sampling timer of a CPU came late
 */
#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/kernel_stat.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>

#include "base/state.h"
#include "capture/capture.h"
#include "sources/lateness.h"

/* After so many ticks of the kernel, this CPU has had one of its own. */
#define TICKS	2

static u64 stolen(void)
{
	return kcpustat_this_cpu->cpustat[CPUTIME_STEAL];
}

static u64 handled(void)
{
	return kcpustat_this_cpu->cpustat[CPUTIME_IRQ];
}

/* The kernel counts the time of a handler when it ends: those before the sample are counted now. */
static void settle_handlers(struct kprof_lateness *l)
{
	if (!l->is_handled)
		l->handled = handled();
	l->is_handled = true;
}

/* Take the cause of the waiting sample from what was counted. Return: was it enough? */
static bool take(struct kprof_lateness *l, u32 cause, u64 counted, u64 owed)
{
	u64 ns = counted - l->counted[cause];

	/* A guest that was moved to another host may find that less was stolen. */
	if ((s64)ns <= 0 || ns < owed + l->rec.weight / 2)
		return false;
	l->counted[cause] += min(ns, owed + l->rec.weight);
	return true;
}

/* The cause is known if the kernel has counted at least half of the missed time as of one kind. */
static u32 find_cause(struct kprof_lateness *l)
{
	u32 cause = KPROF_CAUSE_NOT_KNOWN;
	bool is_next_in_time = l->is_handled;

	settle_handlers(l);
	if (take(l, KPROF_CAUSE_STOLEN, stolen(), l->owed))
		cause = KPROF_CAUSE_STOLEN;
	else if (take(l, KPROF_CAUSE_HANDLERS, l->handled, 0))
		cause = KPROF_CAUSE_HANDLERS;
	/* Else what is left may be the cause of the next late sample, which has come already. */
	if (is_next_in_time)
		l->counted[KPROF_CAUSE_HANDLERS] = l->handled;
	return cause;
}

/**
 * kprof_lateness_tell() - say why the last late sample came late, as far as that is known now
 * @l:		the lateness of this CPU
 * @source:	the timer
 *
 * Context: any, on the CPU of @l, without migration. Does nothing if no late sample waits.
 */
noinline void kprof_lateness_tell(struct kprof_lateness *l, struct kprof_source *source)
{
	u32 cause;

	if (!l->rec.weight)
		return;
	/* The profile was emptied meanwhile: the sample is gone. */
	if (l->epoch != kprof_profile->epoch) {
		l->rec.weight = 0;
		return;
	}
	cause = find_cause(l);
	if (cause == KPROF_CAUSE_NOT_KNOWN)
		l->owed += l->rec.weight;
	l->rec.info &= ~((15 << KPROF_INFO_KIND_SHIFT) | (3 << KPROF_INFO_CAUSE_SHIFT));
	l->rec.info |= (KPROF_REC_LATE << KPROF_INFO_KIND_SHIFT) |
		       (cause << KPROF_INFO_CAUSE_SHIFT);
	kprof_capture_late(source, &l->rec);
	l->rec.weight = 0;
}
NOKPROBE_SYMBOL(kprof_lateness_tell);

/* Start from what the kernel has counted up to now. */
static __always_inline void begin_anew(struct kprof_lateness *l)
{
	l->counted[KPROF_CAUSE_STOLEN] = stolen();
	l->counted[KPROF_CAUSE_HANDLERS] = handled();
	l->owed = 0;
}

/**
 * kprof_lateness_pause() - sampling pauses: what the kernel counts meanwhile is no cause
 * @l:		the lateness of this CPU
 *
 * Context: hardirq, on the CPU of @l.
 */
void kprof_lateness_pause(struct kprof_lateness *l)
{
	begin_anew(l);
	settle_handlers(l);
}
NOKPROBE_SYMBOL(kprof_lateness_pause);

/**
 * kprof_lateness_look() - after a sample that came in time
 * @l:		the lateness of this CPU
 * @source:	the timer
 *
 * Context: hardirq, on the CPU of @l.
 */
void kprof_lateness_look(struct kprof_lateness *l, struct kprof_source *source)
{
	if (unlikely(l->rec.weight)) {
		settle_handlers(l);
		if (time_before(jiffies, l->since + TICKS))
			return;
		kprof_lateness_tell(l, source);
	}
	begin_anew(l);
}
NOKPROBE_SYMBOL(kprof_lateness_look);

/**
 * kprof_lateness_note() - after a sample that came late
 * @l:		the lateness of this CPU; @copy is of that sample, its weight is 0 if it was dropped
 * @source:	the timer
 * @ns:		the part of the sample's weight that it came late by
 *
 * Context: hardirq, on the CPU of @l. An earlier late sample waits no longer.
 */
noinline void kprof_lateness_note(struct kprof_lateness *l, struct kprof_source *source, u64 ns)
{
	kprof_lateness_tell(l, source);
	if (!l->copy.weight)
		return;
	l->rec = l->copy;
	l->rec.weight = ns;
	l->epoch = kprof_profile->epoch;
	l->since = jiffies;
	l->is_handled = false;
	l->copy.weight = 0;
}
NOKPROBE_SYMBOL(kprof_lateness_note);

/**
 * kprof_lateness_start() - forget late samples of an earlier run
 * @l:		the lateness of this CPU
 *
 * Context: any, on the CPU of @l, without migration; its timer is not running.
 */
void kprof_lateness_start(struct kprof_lateness *l)
{
	l->rec.weight = 0;
	l->copy.weight = 0;
	begin_anew(l);
}
