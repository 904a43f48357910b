/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * points.h - places that execution passes, and spans of time between two of them
 *
 * This directory has the targets that are not calls: tracepoints, places in functions, and inlined
 * functions. It also resolves the names of functions. It uses calls/, as a span is accounted for
 * like a call. It does not know who adds and removes targets.
 */
#ifndef KPROF_POINTS_H
#define KPROF_POINTS_H

#include <linux/types.h>

#include "points/open.h"
#include "points/place.h"
#include "points/presets.h"
#include "points/throttle.h"

struct kprof_target;

int kprof_points_init(void);
void kprof_points_exit(void);

int kprof_tracepoints_init(void);
void kprof_tracepoints_exit(void);

bool kprof_points_is_spec(const char *name);
bool kprof_points_is_inlined(const char *name);
int kprof_points_register(struct kprof_target *target, const char *spec);
int kprof_points_inlined(struct kprof_target *target, const char *name);
int kprof_points_enable(struct kprof_target *target, bool enable);
void kprof_points_unregister(struct kprof_target *target);
bool kprof_points_lost(const struct kprof_target *target);
u32 kprof_points_nr_files(const struct kprof_target *target);
bool kprof_points_are_of(const struct kprof_target *target, u32 pid_namespace);
u64 kprof_points_missed(const struct kprof_target *target);
const char *kprof_points_about(const struct kprof_target *target);

void kprof_span_forget(struct kprof_target *target);
void kprof_spans_forget(void);

#endif /* KPROF_POINTS_H */
