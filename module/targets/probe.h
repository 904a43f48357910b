/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe.h - watches a target by the trampoline, a kretprobe or a kprobe
 */
#ifndef KPROF_PROBE_H
#define KPROF_PROBE_H

#include <linux/types.h>

struct kprof_target;

/*
 * Time that a breakpoint takes from the calls around it, apart from that of its handler: at an
 * instruction that kprobes emulate, and at any other one. Measured by calibrate.c.
 */
extern u64 kprof_place_ticks[2];

int kprof_target_register(struct kprof_target *target, unsigned long offset,
			  unsigned long addr);
void kprof_target_unregister(struct kprof_target **target, u32 nr);
bool kprof_target_lost(const struct kprof_target *target);
int kprof_target_enable(struct kprof_target *target, bool enable);
int kprof_target_pass(struct kprof_target *target, bool enabled);
int kprof_target_fall_back(struct kprof_target *target, bool enabled, u32 maxactive);

#endif /* KPROF_PROBE_H */
