/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_arm64.h - what the trampoline has on the stack, and where it is called, on arm64
 */
#ifndef KPROF_FRAME_ARM64_H
#define KPROF_FRAME_ARM64_H

#include <linux/types.h>

#include "calls/calls.h"
#include "compat.h"

/*
 * Eight arguments come in registers, and structures of more than two words by reference. What
 * takes the stack gets no trampoline: there would be no way out of it; see epilogue_arm64.c.
 */
#define KPROF_STACK_ARGS	0

#define KPROF_ARGUMENT_REGS	8

/**
 * struct kprof_frame - what the trampoline has on the stack
 * @fp:		the caller's frame pointer; with @caller a frame record as any function's
 * @caller:	return address of the function, signed as the kernel signs
 * @arg:	argument registers
 * @result:	where a result goes that is no register's; then the first word of the result
 * @ip:		return address into the function: tells which one it is; then the second word
 * @mark:	while the function runs: the trampoline's address, exclusive-or the frame's
 * @call:	the call
 */
struct kprof_frame {
	u64 fp;
	u64 caller;
	u64 arg[KPROF_ARGUMENT_REGS];
	u64 result;
	u64 ip;
	u64 mark;
	struct kprof_call call;
};

unsigned long kprof_direct_site(unsigned long function);

static inline unsigned long kprof_frame_caller(const struct kprof_frame *frame)
{
	return ptrauth_strip_kernel_insn_pac(frame->caller);
}

#endif /* KPROF_FRAME_ARM64_H */
