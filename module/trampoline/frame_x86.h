/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_x86.h - what the trampoline has on the stack, and where it is called, on x86-64
 */
#ifndef KPROF_FRAME_X86_H
#define KPROF_FRAME_X86_H

#include <linux/ftrace.h>

#include "calls/calls.h"

/* Words of arguments on the stack that the trampoline copies. */
#define KPROF_STACK_ARGS	8

/**
 * struct kprof_frame - what the trampoline has on the stack
 * @arg:	argument registers
 * @call:	the call
 * @bp:		the caller's frame pointer
 * @ip:		return address into the function: tells which one it is
 * @caller:	return address of the function
 * @stack_arg:	arguments that came on the stack
 */
struct kprof_frame {
	u64 arg[KPROF_NR_ARGS];
	struct kprof_call call;
	u64 bp;
	u64 ip;
	u64 caller;
	u64 stack_arg[];
};

/* Where the trampoline that a function calls returns to. */
static inline unsigned long kprof_direct_site(unsigned long function)
{
	return function + MCOUNT_INSN_SIZE;
}

static inline unsigned long kprof_frame_caller(const struct kprof_frame *frame)
{
	return frame->caller;
}

unsigned long kprof_direct_stack_args(const struct kprof_frame *frame);

#endif /* KPROF_FRAME_X86_H */
