/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_x86.h - the trampoline's stack frame, and where it is called, on x86-64
 */
#ifndef KPROF_FRAME_X86_H
#define KPROF_FRAME_X86_H

#include <linux/ftrace.h>

#include "calls/calls.h"

/* Number of words of stack arguments that the trampoline copies. */
#define KPROF_STACK_ARGS	8

/**
 * struct kprof_frame - the trampoline's stack frame
 * @arg:	argument registers
 * @call:	the call
 * @bp:		the caller's frame pointer
 * @ip:		return address into the function, which identifies it
 * @caller:	return address of the function
 * @stack_arg:	arguments that were passed on the stack
 */
struct kprof_frame {
	u64 arg[KPROF_NR_ARGS];
	struct kprof_call call;
	u64 bp;
	u64 ip;
	u64 caller;
	u64 stack_arg[];
};

/* The address in a function to which the trampoline returns. */
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
