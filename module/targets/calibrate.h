/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calibrate.h - what watching a call costs, on this machine
 */
#ifndef KPROF_CALIBRATE_H
#define KPROF_CALIBRATE_H

#include <linux/types.h>

struct kprof_target;

/**
 * struct kprof_cost - what a call takes longer because it is watched
 * @cost_ns:	in all; without a sample and keys
 * @seen_ns:	what of it is part of its latency
 * @high_ns:	the same, as nine of ten calls do not exceed it
 * @is_known:	the two were measured
 */
struct kprof_cost {
	u64 cost_ns;
	u64 seen_ns;
	u64 high_ns;
	bool is_known;
};

/* Measured last; kprof_mutex is held. */
extern struct kprof_cost kprof_direct_cost, kprof_call_cost, kprof_place_cost;

struct kprof_target *kprof_calibrate_target(void);
void kprof_calibrate_begin(bool calls, bool places);
void kprof_calibrate_end(void);
void kprof_calibrate_exit(void);

#endif /* KPROF_CALIBRATE_H */
