// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook_direct.c - the functions' own call of ftrace calls the trampoline directly
 */
#include <linux/ftrace.h>
#include <linux/string.h>

#include "compat.h"
#include "trampoline/direct.h"
#include "trampoline/hook.h"

/*
 * A function with the trampoline gets a live patch, or had it before. The patch takes
 * precedence: the trampoline is then called as if from the new function, and lets the call pass.
 */
static KPROF_FTRACE_OPS_FUNC(share)
{
	if (command != FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER)
		pr_warn("a watched function has a live patch: its calls are not seen, but counted as direct.patched\n");
	return 0;
}

/**
 * kprof_hook_prepare() - set up an ftrace_ops whose filter can then be filled
 * @ops:	not registered; what it had before is forgotten
 *
 * Context: any.
 */
void kprof_hook_prepare(struct ftrace_ops *ops)
{
	memset(ops, 0, sizeof(*ops));
	ops->ops_func = share;
}

/**
 * kprof_hook_put_on() - lead calls of the functions in a filter to the trampoline
 * @ops:	its filter is filled
 *
 * Context: sleeps. Return: 0 or an errno; -EBUSY if something else has its own trampoline on
 * one of them.
 */
int kprof_hook_put_on(struct ftrace_ops *ops)
{
	return register_ftrace_direct(ops, (unsigned long)kprof_trampoline);
}

/**
 * kprof_hook_take_off() - no longer lead calls to the trampoline
 * @ops:	what kprof_hook_put_on() was given
 *
 * Context: sleeps. Return: 0; or an errno, and @ops must stay as it is.
 */
int kprof_hook_take_off(struct ftrace_ops *ops)
{
	ftrace_func_t func = ops->func;
	unsigned long trampoline = ops->trampoline;
	int err = unregister_ftrace_direct(ops, (unsigned long)kprof_trampoline, false);

	if (err) {
		/* ftrace has reset these for another registration. */
		ops->trampoline = trampoline;
		WRITE_ONCE(ops->func, func);
	}
	return err;
}
