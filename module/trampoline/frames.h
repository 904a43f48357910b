/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames.h - finds the trampoline's frames on a stack, and takes them out of use
 */
#ifndef KPROF_FRAMES_H
#define KPROF_FRAMES_H

#include <linux/types.h>

#include "trampoline/frame.h"

struct kprof_target;
struct task_struct;

#if KPROF_HAS_DIRECT
/*
 * For inside.c. Each architecture implements these in its frames_*.c.
 */
struct kprof_target *kprof_frame_at(unsigned long addr, unsigned long end);
void kprof_frames_abandon(void (*abandon)(struct kprof_frame *frame));
unsigned long kprof_frames_begin(const struct task_struct *task);
void kprof_frames_let_out(struct task_struct *task, unsigned long addr, unsigned long end,
			  void (*count)(struct kprof_target *target));
#endif

#endif /* KPROF_FRAMES_H */
