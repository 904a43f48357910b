/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capture.h - what every source calls to have a sample taken
 */
#ifndef KPROF_CAPTURE_H
#define KPROF_CAPTURE_H

#include <linux/hardirq.h>
#include <linux/ptrace.h>

#include "capture/source.h"

/**
 * struct kprof_event - what a source knows of a sample
 * @source:	who asks
 * @regs:	the registers that were interrupted; NULL if they are not known
 * @time:	ktime_get_mono_fast_ns()
 * @weight:	nanoseconds or events that the sample stands for
 * @along:	what other counters have counted since the sample before; NULL: nothing
 *		is known of them
 * @own:	what the source's own way in added to preempt_count()
 */
struct kprof_event {
	struct kprof_source *source;
	struct pt_regs *regs;
	u64 time;
	u64 weight;
	const u64 *along;
	u32 own;
};

bool kprof_capture_wants(void);
u32 kprof_capture_stack(struct pt_regs *regs);
u64 kprof_capture(const struct kprof_event *event);
void kprof_capture_return(struct kprof_source *source, u64 key, u64 time, u64 latency);

#endif /* KPROF_CAPTURE_H */
