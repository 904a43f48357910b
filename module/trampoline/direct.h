/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * direct.h - the data that the trampoline uses, and the functions that it calls
 */
#ifndef KPROF_DIRECT_H
#define KPROF_DIRECT_H

#include <linux/kernel.h>
#include <linux/types.h>

#include "calls/calls.h"
#include "stacks/stacks.h"
#include "trampoline/frame.h"

struct kprof_target;
struct pt_regs;

#if KPROF_HAS_DIRECT
/* How the trampoline handles a call; known to trampoline_*.S. */
enum kprof_way {
	KPROF_WAY_ASK,		/* by calling kprof_direct_enter() */
	KPROF_WAY_PLAIN,	/* by itself: only the clock is read */
	KPROF_WAY_ARGUMENTS,	/* by itself, but saves arguments to be looked at later */
	KPROF_WAY_SHORT,	/* by calling kprof_direct_enter_short() */
};

/**
 * struct kprof_direct_entry - maps a return address into a function to its target;
 * known to trampoline_*.S
 * @ip:		the address; 0 marks a free entry
 * @target:	the target
 * @entered:	the target's counter of calls
 * @way:	enum kprof_way
 */
struct kprof_direct_entry {
	unsigned long ip;
	struct kprof_target *target;
	u64 __percpu *entered;
	u64 way;
};

#define KPROF_DIRECT_BITS	11	/* four times KPROF_MAX_SOURCES; open addressing */
extern struct kprof_direct_entry kprof_direct_table[1 << KPROF_DIRECT_BITS];

/* Functions begin at multiples of 16. */
static inline u32 kprof_direct_slot(unsigned long ip)
{
	u32 at = (ip >> 4) % ARRAY_SIZE(kprof_direct_table);

	while (kprof_direct_table[at].ip && kprof_direct_table[at].ip != ip)
		at = (at + 1) % ARRAY_SIZE(kprof_direct_table);
	return at;
}

/* In the trampoline. */
void kprof_trampoline(void);
extern const char kprof_trampoline_ret[];	/* its last instruction */

/* Called by the trampoline. */
bool kprof_direct_enter(struct kprof_frame *frame);
bool kprof_direct_enter_short(struct kprof_frame *frame);
void kprof_direct_leave(struct kprof_frame *frame, u64 retval);
bool kprof_direct_has_room(struct kprof_frame *frame);

/* The trampoline can be on the target's function, whose module is still there. */
static inline bool kprof_direct_is_attachable(const struct kprof_target *target)
{
	return target->probe == KPROF_PROBE_DIRECT && !target->lost;
}

bool kprof_direct_is_attached(void);

/* What differs between architectures: direct_*.c. */
void kprof_direct_check(void);
void kprof_frame_regs(const struct kprof_frame *frame, unsigned long function,
		      struct pt_regs *regs);
#endif

#endif /* KPROF_DIRECT_H */
