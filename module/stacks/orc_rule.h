/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * orc_rule.h - the rules of orc_cache.c: how to get from an address to its caller
 */
#ifndef KPROF_ORC_RULE_H
#define KPROF_ORC_RULE_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/sched/task_stack.h>
#include <linux/types.h>

#include "stacks/peek.h"
#include "stacks/unwind.h"

/**
 * struct kprof_frame_at - where an unwind stands
 * @ip:		the address of this frame
 * @key:	the address whose rule applies: @ip if it was interrupted there; for a return
 *		address @ip - 1, since the call may be the last instruction of its function
 * @sp:		its stack pointer
 * @bp:		its frame pointer, or whatever is in that register
 */
struct kprof_frame_at {
	unsigned long ip;
	unsigned long key;
	unsigned long sp;
	unsigned long bp;
};

struct kprof_bounds kprof_orc_known_stack(unsigned long sp);

/*
 * A rule is one word, so that it is read and written atomically:
 *
 *   63      48 47        36 35  32 31         0
 *   |  saved  |  distance  | kind | address   |
 *
 * address	the low half: all kernel and module text lies in the top 2 GiB
 * distance	from where the kind says to the caller's frame, in bytes
 * saved	how far below the caller's frame the caller's frame pointer was
 *		saved, in bytes; 0: it is still in its register
 */
enum rule_kind {
	RULE_NONE = 0,	/* not known yet */
	/*
	 * A call: distance from the stack pointer; saved is not below that. This one alone is odd:
	 * nearly every frame is of this kind, and one bit tells.
	 */
	RULE_SP = 1,
	RULE_BP = 2,	/* a call: distance from the frame pointer */
	RULE_SWITCH = 4, /* a call from another stack: distance from what sp points to */
	RULE_REGS = 6,	/* interrupted registers lie at this distance from sp */
	RULE_END = 8,	/* the outermost frame */
	RULE_RETHOOK = 10, /* a return address that a kretprobe put there */
	RULE_KERNEL = 12, /* none of these: ask the kernel's unwinder */
	/*
	 * A function that has aligned its stack: the frame pointer points to the caller's, and at
	 * this distance below there is a pointer to the caller's frame.
	 */
	RULE_ALIGNED = 14,
};

#define KPROF_SET_BITS	12
#define KPROF_NR_SETS	(1 << KPROF_SET_BITS)
#define KPROF_NR_WAYS	4

/*
 * Read by every CPU, rarely written once it is warm. Each set has several entries.
 * With only one, two hot addresses of the same set would evict each other again
 * and again.
 */
extern u64 kprof_orc_rules[KPROF_NR_SETS][KPROF_NR_WAYS];

/* Distances must be below this number of words. */
#define KPROF_RULE_WORDS	512

static inline u64 *rule_set(unsigned long addr)
{
	return kprof_orc_rules[((u32)addr * 0x9e3779b1U) >> (32 - KPROF_SET_BITS)];
}

/* Distances are in words. */
static inline u64 make_rule(enum rule_kind kind, u32 distance, u32 saved)
{
	BUILD_BUG_ON(KPROF_RULE_WORDS * sizeof(long) > 1 << 12);
	return ((u64)saved * sizeof(long) << 48) | ((u64)distance * sizeof(long) << 36) |
	       ((u64)kind << 32);
}

static inline enum rule_kind rule_kind(u64 rule)
{
	return (rule >> 32) & 0xf;
}

static inline bool rule_is_sp(u64 rule)
{
	return rule & ((u64)RULE_SP << 32);
}

static inline unsigned long rule_distance(u64 rule)
{
	return (rule >> 36) & 0xfff;
}

static inline unsigned long rule_saved(u64 rule)
{
	return rule >> 48;
}

static inline unsigned long rule_address(u64 rule)
{
	return (long)(s32)rule;
}

static __always_inline u64 rule_find(unsigned long addr)
{
	const u64 *set = rule_set(addr);
	u64 rule = READ_ONCE(set[0]);
	int way;

	if (likely(rule_address(rule) == addr))
		return rule;
	for (way = 1; way < KPROF_NR_WAYS; way++) {
		rule = READ_ONCE(set[way]);
		if (rule_address(rule) == addr)
			return rule;
	}
	return 0;
}

static inline bool within(const struct kprof_bounds *stack, unsigned long addr, size_t size)
{
	return addr >= stack->begin && addr + size <= stack->end;
}

/* The bounds of the stack that @sp is on; all zeroes if it is not known yet. */
static __always_inline struct kprof_bounds find_stack(unsigned long sp)
{
	struct kprof_bounds stack;

	stack.begin = (unsigned long)task_stack_page(current);
	stack.end = stack.begin + THREAD_SIZE;
	return likely(within(&stack, sp, 0)) ? stack : kprof_orc_known_stack(sp);
}

#endif /* KPROF_ORC_RULE_H */
