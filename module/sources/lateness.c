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

static u64 now_counted(u32 cause)
{
	switch (cause) {
	case KPROF_CAUSE_STOLEN:
		return kcpustat_this_cpu->cpustat[CPUTIME_STEAL];
	case KPROF_CAUSE_HANDLERS:
		return kcpustat_this_cpu->cpustat[CPUTIME_IRQ];
	default:
		return 0;
	}
}

/*
 * The cause is known if the kernel has counted at least half of the missed time as of one kind. The
 * rest may be the cause of the next late sample.
 */
static u32 find_cause(struct kprof_lateness *l)
{
	u32 cause;
	u64 ns;

	for (cause = KPROF_CAUSE_NOT_KNOWN + 1; cause < KPROF_NR_CAUSES; cause++) {
		ns = now_counted(cause) - l->counted[cause];
		/* A guest that was moved to another host may find that less was stolen. */
		if ((s64)ns <= 0 || ns < l->rec.weight / 2)
			continue;
		l->counted[cause] += min(ns, l->rec.weight);
		return cause;
	}
	return KPROF_CAUSE_NOT_KNOWN;
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
	if (!l->rec.weight)
		return;
	/* The profile was emptied meanwhile: the sample is gone. */
	if (l->epoch != kprof_profile->epoch) {
		l->rec.weight = 0;
		return;
	}
	l->rec.info &= ~((15 << KPROF_INFO_KIND_SHIFT) | (3 << KPROF_INFO_CAUSE_SHIFT));
	l->rec.info |= (KPROF_REC_LATE << KPROF_INFO_KIND_SHIFT) |
		       (find_cause(l) << KPROF_INFO_CAUSE_SHIFT);
	kprof_capture_late(source, &l->rec);
	l->rec.weight = 0;
}
NOKPROBE_SYMBOL(kprof_lateness_tell);

/* Start from what the kernel has counted up to now. */
static __always_inline void begin_anew(struct kprof_lateness *l)
{
	l->counted[KPROF_CAUSE_STOLEN] = now_counted(KPROF_CAUSE_STOLEN);
	l->counted[KPROF_CAUSE_HANDLERS] = now_counted(KPROF_CAUSE_HANDLERS);
}

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
