// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook_callback_arm64.c - a callback of ftrace leads to the trampoline; for want of direct calls
 *
 * ftrace calls the callback with the registers that it restores afterwards. The callback makes it
 * return to the trampoline instead of into the function, as a live patch makes it return into
 * another function. On arm64 ftrace has no trampoline of its own for each ftrace_ops: at each
 * call it searches all of them, on whatever functions they are. So this one is also what keeps
 * ftrace from being switched off, for which there is one more otherwise; see tracer.c.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/string.h>
#include <asm/insn.h>

#include "compat.h"
#include "trampoline/direct.h"
#include "trampoline/hook.h"

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#define SAVE_REGS	0
#else
#define SAVE_REGS	FTRACE_OPS_FL_SAVE_REGS
#endif

/* @ip is the address of ftrace's call, right before the function's own instructions. */
static void divert(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs)
{
	u32 slot = kprof_direct_slot(ip + AARCH64_INSN_SIZE);

	if (likely(kprof_direct_table[slot].ip))
		ftrace_regs_set_instruction_pointer(fregs,
						    (unsigned long)kprof_trampoline_diverted +
						    slot * KPROF_DIVERTED_BYTES);
}
NOKPROBE_SYMBOL(divert);

/**
 * kprof_hook_prepare() - set up an ftrace_ops whose filter can then be filled
 * @ops:	not registered; what it had before is forgotten
 *
 * Context: any.
 */
void kprof_hook_prepare(struct ftrace_ops *ops)
{
	memset(ops, 0, sizeof(*ops));
	ops->func = divert;
	ops->flags = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT | SAVE_REGS;
}

/**
 * kprof_hook_put_on() - lead calls of the functions in a filter to the trampoline
 * @ops:	its filter is filled
 *
 * Context: sleeps. Return: 0 or an errno; -EBUSY if something else, such as a live patch, leads
 * calls of one of them elsewhere, or if ftrace is switched off.
 */
int kprof_hook_put_on(struct ftrace_ops *ops)
{
	return register_ftrace_function(ops);
}

/**
 * kprof_hook_take_off() - no longer lead calls to the trampoline
 * @ops:	what kprof_hook_put_on() was given
 *
 * Context: sleeps. Return: 0; or an errno, and @ops must stay as it is.
 */
int kprof_hook_take_off(struct ftrace_ops *ops)
{
	return unregister_ftrace_function(ops);
}
