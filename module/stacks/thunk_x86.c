// SPDX-License-Identifier: GPL-2.0-only
/*
 * thunk_x86.c - retpolines and other thunks for indirect calls
 *
 * The kernel's unwinder has no rule for thunks. It takes a stack that was interrupted in one
 * for a stack that ends there (until 6.3), or for a broken one. But the rule is simple: the
 * return address of the indirect call is on top of the stack. It may be one word further up, if
 * the thunk's own call has pushed an address inside the thunk, which it will then replace by the
 * target of the indirect call.
 */
#include <linux/kallsyms.h>
#include <linux/string.h>

#include "stacks/orc_cache.h"
#include "stacks/orc_rule.h"
#include "stacks/thunk_x86.h"

/* No thunk is longer than this. */
#define THUNK_SIZE	32

/**
 * kprof_thunk_is_at() - does an address lie in a thunk for indirect calls
 * @addr:	the address
 *
 * Looks up the symbol, which takes room for a name on the stack.
 *
 * Context: any but NMI. Return: whether it does.
 */
bool kprof_thunk_is_at(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, addr);
	return strstr(name, "_indirect_") && strstr(name, "_thunk_");
}

/**
 * kprof_thunk_distance() - the distance from the stack pointer in a thunk to the caller's frame
 * @at:		where it was interrupted
 *
 * Context: any, NMI included, without migration; current's own stack.
 * Return: bytes; 0 if the stack is not known.
 */
u32 kprof_thunk_distance(const struct kprof_frame_at *at)
{
	struct kprof_bounds stack = kprof_orc_stack(at->sp);

	if (!within(&stack, at->sp, 2 * sizeof(long)))
		return 0;
	if (kprof_peek(at->sp) - at->ip + THUNK_SIZE < 2 * THUNK_SIZE)
		return 2 * sizeof(long);
	return sizeof(long);
}
