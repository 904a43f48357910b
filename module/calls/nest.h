/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nest.h - tracks which watched calls a task is inside of
 *
 * This is needed to subtract the time of inner calls from the outer one's, and to count
 * what is passed inside a call. A softirq or hard interrupt is kept apart from the task
 * that it interrupts: its calls are not inside the task's.
 */
#ifndef KPROF_NEST_H
#define KPROF_NEST_H

#include <linux/atomic.h>
#include <linux/jump_label.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "calls/call.h"

struct kprof_target;

/**
 * struct kprof_nest - an entry of the table
 * @owner:	task and level; 0: free
 * @home:	its last owner, which gets this entry again when it next claims one
 * @innermost:	the owner's innermost call
 */
struct kprof_nest {
	unsigned long owner;
	unsigned long home;
	struct kprof_call *innermost;
};

/* Enabled while two or more targets are watched. */
DECLARE_STATIC_KEY_FALSE(kprof_nesting);

void kprof_nest_init(void);
void kprof_nest_abandon(void);
void kprof_nest_cpu_comes(unsigned int cpu);
void kprof_nest_push(struct kprof_call *call, u32 level);
void kprof_nest_hit(const struct kprof_target *target, u32 level);
void kprof_nest_discount(u32 level, u64 ticks);
void kprof_nest_forget(void);
u64 kprof_nest_full(void);

/* A call's @nest has this if the call has claimed the entry: it alone frees it. */
#define KPROF_NEST_CLAIMED	1UL

static __always_inline struct kprof_nest *kprof_nest_of(const struct kprof_call *call)
{
	return (struct kprof_nest *)(call->nest & ~KPROF_NEST_CLAIMED);
}

static inline void kprof_nest_free(struct kprof_nest *nest)
{
	/* Orders all of the owner's accesses before this: claim() may take the entry next. */
	smp_store_release(&nest->owner, 0);
}

/**
 * kprof_nest_pop() - a task leaves a call
 * @call:	the call
 * @ns:		how long it took
 *
 * An interrupt that has the same owner may come anywhere in here, and enter and leave calls. If it
 * comes before the entry is freed, it finds an entry without a call, and leaves it like that.
 *
 * Context: any, NMI included; preemption is disabled. Return: the part of that time
 * spent in watched calls inside.
 */
static __always_inline u64 kprof_nest_pop(struct kprof_call *call, u64 ns)
{
	struct kprof_nest *nest = kprof_nest_of(call);
	struct kprof_call *outer = call->outer;

	if (!call->nest)
		return 0;
	/* After kprof_nest_forget(), the entry is no longer ours. */
	if (likely(cmpxchg(&nest->innermost, call, outer) == call)) {
		if (outer)
			local64_add(ns, &outer->others);
		else if (likely(call->nest & KPROF_NEST_CLAIMED))
			kprof_nest_free(nest);
	}
	/* The clocks of two CPUs may differ slightly. */
	return min_t(u64, local64_read(&call->others), ns);
}

#endif /* KPROF_NEST_H */
