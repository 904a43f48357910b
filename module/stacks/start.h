/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * start.h - registers to unwind a stack from, where nothing has interrupted the code
 */
#ifndef KPROF_START_H
#define KPROF_START_H

#include <linux/ptrace.h>

/**
 * kprof_start_regs() - make registers as if an interrupt had come at a place
 * @regs:	where they go; only those that the unwinders read are set, and by
 *		this alone: declare them __uninitialized
 * @ip:		the place
 * @sp:		the stack pointer there
 * @fp:		the frame pointer there
 * @lr:		where the function returns to; read on arm64 only
 *
 * Context: any.
 */
static __always_inline void kprof_start_regs(struct pt_regs *regs, unsigned long ip,
					     unsigned long sp, unsigned long fp, unsigned long lr)
{
#ifdef CONFIG_X86
	regs->ip = ip;
	regs->sp = sp;
	regs->bp = fp;
	regs->cs = __KERNEL_CS;
	regs->ss = __KERNEL_DS;
	regs->flags = 0;
	/* A few functions keep their frame in one of these. */
	regs->r10 = 0;
	regs->r13 = 0;
	regs->di = 0;
	regs->dx = 0;
#else
	regs->pc = ip;
	regs->sp = sp;
	regs->regs[29] = fp;
	regs->regs[30] = lr;
	regs->pstate = PSR_MODE_EL1h;
#endif
}

#endif /* KPROF_START_H */
