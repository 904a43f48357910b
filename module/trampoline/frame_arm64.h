/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_arm64.h - the trampoline's stack frame, and where it is called, on arm64
 */
#ifndef KPROF_FRAME_ARM64_H
#define KPROF_FRAME_ARM64_H

#include <linux/types.h>

#include "calls/calls.h"
#include "compat.h"

/*
 * Eight arguments are passed in registers, and structures of more than two words by reference.
 * Functions with stack arguments get no trampoline: calls in progress could not be made to return
 * without it; see epilogue_arm64.c.
 */
#define KPROF_STACK_ARGS	0

#define KPROF_ARGUMENT_REGS	8

/**
 * struct kprof_frame - the trampoline's stack frame
 * @fp:		the caller's frame pointer; with @caller it forms a regular frame record
 * @caller:	return address of the function, signed as the kernel does it
 * @arg:	argument registers
 * @result:	x8, the address for a large result; later the first word of the result
 * @ip:		return address into the function, which identifies it; later the second word
 * @mark:	while the function runs: the trampoline's address XOR the frame's address
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
