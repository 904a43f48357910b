/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame.h - the registers of a place that called a probe, and saved none
 */
#ifndef KPROF_FRAME_H
#define KPROF_FRAME_H

#include <linux/ptrace.h>
#include <linux/types.h>

#include "calls/calls.h"
#include "stacks/stacks.h"

/**
 * struct kprof_iterator - the function that calls the probes of a tracepoint if there are several
 * @address:	where it is
 * @size:	its size in bytes
 */
struct kprof_iterator {
	unsigned long address;
	unsigned long size;
};

/*
 * Set the registers as if the tracepoint's call had been interrupted. The probe returns to the
 * tracepoint, or to its iterator. All that leads here is inline, so the frame is the probe's.
 */
static __always_inline void kprof_frame_unfold(struct pt_regs *regs,
					       const struct kprof_iterator *iterator,
					       struct kprof_entry *at)
{
	const unsigned long *record = __builtin_frame_address(0);
	const unsigned long ret = at->caller;

#ifdef CONFIG_X86
	kprof_start_regs(regs, ret - 1, (unsigned long)(record + 2), record[0], 0);
#else
	kprof_start_regs(regs, ret - AARCH64_INSN_SIZE, (unsigned long)record,
			 record[0], ret);
#endif
	at->regs = regs;
	at->skip = ret - iterator->address < iterator->size;
}

#endif /* KPROF_FRAME_H */
