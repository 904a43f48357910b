// SPDX-License-Identifier: GPL-2.0-only
/*
 * thunk_x86.c - thunks: what indirect calls go through where they must not be predicted
 *
 * The kernel's unwinder has no rule for them, and takes a stack that was interrupted there
 * for one that ends (until 6.3), or for a broken one. But the rule is simple: the return address
 * of the call is on top of the stack; or below what the thunk's own call has pushed, which
 * leads back into the thunk and will be replaced by where the indirect call leads.
 */
#include <linux/kallsyms.h>
#include <linux/string.h>

#include "stacks/orc_cache.h"
#include "stacks/orc_rule.h"
#include "stacks/thunk_x86.h"

/* No thunk is longer. */
#define THUNK_SIZE	32

/**
 * kprof_thunk_is_at() - does an address lie in a thunk of indirect calls
 * @addr:	the address
 *
 * The kernel's symbols are asked, which takes room for a name on the stack.
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
 * kprof_thunk_distance() - from the stack pointer in a thunk to the caller's frame
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
	if (peek(at->sp) - at->ip + THUNK_SIZE < 2 * THUNK_SIZE)
		return 2 * sizeof(long);
	return sizeof(long);
}
