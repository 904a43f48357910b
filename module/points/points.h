/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * points.h - places that execution passes, and spans of time between two of them
 *
 * The room of targets that are no calls: tracepoints, places in functions, functions that are
 * inlined; and of what the name of a function stands for. It knows calls, which a span is accounted
 * for as. Who adds and removes targets it does not know.
 */
#ifndef KPROF_POINTS_H
#define KPROF_POINTS_H

#include <linux/types.h>

#include "points/open.h"
#include "points/place.h"
#include "points/presets.h"

struct kprof_target;

int kprof_tracepoints_init(void);
void kprof_tracepoints_exit(void);

bool kprof_points_is_spec(const char *name);
bool kprof_points_is_inlined(const char *name);
int kprof_points_register(struct kprof_target *target, const char *spec);
int kprof_points_inlined(struct kprof_target *target, const char *name);
int kprof_points_enable(struct kprof_target *target, bool enable);
void kprof_points_unregister(struct kprof_target *target);
bool kprof_points_lost(const struct kprof_target *target);
u64 kprof_points_missed(const struct kprof_target *target);
const char *kprof_points_about(const struct kprof_target *target);

void kprof_span_forget(struct kprof_target *target);
void kprof_spans_forget(void);

#endif /* KPROF_POINTS_H */
