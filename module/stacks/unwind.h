/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unwind.h - unwinds the kernel stack from a set of registers; implemented by
 * unwind_x86.c and unwind_arm64.c
 */
#ifndef KPROF_UNWIND_H
#define KPROF_UNWIND_H

#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/types.h>

#include "base/config.h"
#include "stacks/path.h"

/**
 * struct kprof_unwind_totals - number of stacks unwound, over all CPUs
 * @cached:	by cached rules, perhaps except for the first frame
 * @kernel:	by the kernel's unwinder
 * @recalled:	not at all: the stack of before was still there
 * @mismatch:	in mode "check": times that two of these did not agree
 */
struct kprof_unwind_totals {
	u64 cached;
	u64 kernel;
	u64 recalled;
	u64 mismatch;
};

/* The first byte of a stack, and the first byte after it. */
struct kprof_bounds {
	unsigned long begin;
	unsigned long end;
};

/* Incremented by the architecture's unwinder, on the CPU that takes the stack. */
DECLARE_PER_CPU(struct kprof_unwind_totals, kprof_unwind_counters);

/* The return address, at a function's first instruction. */
static inline unsigned long kprof_caller(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return *(unsigned long *)kernel_stack_pointer(regs);
#else
	return procedure_link_pointer(regs);
#endif
}

int kprof_unwind_init(void);
void kprof_unwind_exit(void);
u32 kprof_unwind(struct pt_regs *regs, enum kprof_unwind_mode mode,
		 u64 *frame, u32 max, u16 *flags, struct kprof_path *path);
void kprof_unwind_totals(struct kprof_unwind_totals *totals);
void kprof_unwind_clear(void);

#ifdef CONFIG_UNWINDER_ORC
struct kprof_bounds kprof_orc_stack(unsigned long sp);
#endif

#endif /* KPROF_UNWIND_H */
