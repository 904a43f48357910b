/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call.h - the state of a call of a target while it is in progress
 */
#ifndef KPROF_CALL_H
#define KPROF_CALL_H

#include <asm/local64.h>
#include <linux/types.h>

#include "base/context.h"
#include "profile/profile.h"

struct kprof_target;

/**
 * struct kprof_call - a call in progress
 * @target:	the target that was called
 * @nest:	where the task's calls are linked, as an address, perhaps with KPROF_NEST_CLAIMED;
 *		0 if this one is not
 * @outer:	the watched call around this one
 * @start:	kprof_clock() at entry
 * @others:	nanoseconds spent in watched calls inside
 * @sample:	key of the sample taken at entry; 0 if there is none; or KPROF_CALL_*
 * @epoch:	kprof_calls_epoch at entry
 * @hits:	number of times the target that hits() names was passed
 * @context:	replaces these two when the call is over and its row is looked up: the id of
 *		the target's source. With the values that follow, it identifies the row.
 * @value:	values of the keys that are read at entry
 *
 * It is part of the kretprobe's instance, or on the stack below the function.
 */
struct kprof_call {
	struct kprof_target *target;
	unsigned long nest;
	struct kprof_call *outer;
	u64 start;
	local64_t others;
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

/* Used as @sample by calls that took a short way through direct.c. */
#define KPROF_CALL_PLAIN	(~0ULL)	/* needs only the time-stamp counter */
#define KPROF_CALL_ARGUMENTS	(~1ULL)	/* needs that, and arguments */
#define KPROF_CALL_SHORT	(~2ULL)	/* needs these, any clock, and the calls around this one */

#endif /* KPROF_CALL_H */
