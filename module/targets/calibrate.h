/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calibrate.h - measures what watching a call costs on this machine
 */
#ifndef KPROF_CALIBRATE_H
#define KPROF_CALIBRATE_H

#include <linux/types.h>

struct kprof_target;

/**
 * struct kprof_cost - how much longer a call takes because it is watched
 * @cost_ns:	total cost, without a sample and keys
 * @seen_ns:	the part of it that is included in the latency
 * @high_ns:	90th percentile of that part
 * @is_known:	the cost was measured
 */
struct kprof_cost {
	u64 cost_ns;
	u64 seen_ns;
	u64 high_ns;
	bool is_known;
};

/* The latest results; protected by kprof_mutex. */
extern struct kprof_cost kprof_direct_cost, kprof_long_cost, kprof_call_cost, kprof_place_cost;

struct kprof_target *kprof_calibrate_target(void);
void kprof_calibrate_begin(bool calls, bool places);
void kprof_calibrate_end(bool is_way_long);
void kprof_calibrate_exit(void);

#endif /* KPROF_CALIBRATE_H */
