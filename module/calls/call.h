/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call.h - what is known of a call of a target while it is under way
 */
#ifndef KPROF_CALL_H
#define KPROF_CALL_H

#include <linux/preempt.h>
#include <linux/types.h>

#include "profile/profile.h"

struct kprof_nest;
struct kprof_target;

/**
 * struct kprof_call - a call under way
 * @target:	which target's
 * @nest:	where the task's calls are linked; NULL: this one is not
 * @outer:	the watched call around this one
 * @start:	kprof_clock() at entry
 * @others:	nanoseconds spent in watched calls inside
 * @sample:	key of the sample taken at entry; 0: none was; KPROF_CALL_*
 * @epoch:	kprof_calls_epoch at entry
 * @hits:	times the place that hits() names was passed
 * @context:	in place of these two, when it is over and its row is looked for: the id of the
 *		target's source, which makes a row together with the values behind it
 * @value:	of each key that is looked at when the call begins
 *
 * Lies in the kretprobe's instance, or on the stack below the function.
 */
struct kprof_call {
	struct kprof_target *target;
	struct kprof_nest *nest;
	struct kprof_call *outer;
	u64 start;
	u64 others;
	u64 sample;
	union {
		struct {
			u32 epoch;
			u32 hits;
		};
		u64 context;
	};
	u64 value[KPROF_MAX_KEYS];
};

/* In place of a sample: the call came a short way through direct.c. */
#define KPROF_CALL_PLAIN	(~0ULL)	/* nothing but the time-stamp counter counts */
#define KPROF_CALL_ARGUMENTS	(~1ULL)	/* nothing but that and arguments */
#define KPROF_CALL_SHORT	(~2ULL)	/* that, any clock, and calls around this one */

/*
 * Task context 0, softirq 1, hard interrupt 2, NMI 3, not counting what a
 * probe's own way in added to preempt_count().
 */
static inline u32 kprof_level(u32 own)
{
	u32 count = preempt_count() - own;

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return 0;
	return !!(count & NMI_MASK) + !!(count & (NMI_MASK | HARDIRQ_MASK)) +
	       !!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET));
}

#endif /* KPROF_CALL_H */
