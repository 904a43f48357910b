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

/**
 * struct kprof_frame - what the registers of a tracepoint are made of
 * @record:	frame record of the probe
 * @ret:	where the probe returns to
 * @iterator:	where that may be, too
 * @regs:	room for the registers
 */
struct kprof_frame {
	const unsigned long *record;
	unsigned long ret;
	const struct kprof_iterator *iterator;
	struct pt_regs *regs;
};

/* Set the registers as if the tracepoint's call had been interrupted. */
static __always_inline void kprof_frame_unfold(const struct kprof_frame *frame,
					       struct kprof_entry *at)
{
	const unsigned long *record = frame->record;

#ifdef CONFIG_X86
	kprof_start_regs(frame->regs, frame->ret - 1, (unsigned long)(record + 2), record[0], 0);
#else
	kprof_start_regs(frame->regs, frame->ret - AARCH64_INSN_SIZE, (unsigned long)record,
			 record[0], frame->ret);
#endif
	at->regs = frame->regs;
	at->skip = frame->ret - frame->iterator->address < frame->iterator->size;
}

#endif /* KPROF_FRAME_H */
