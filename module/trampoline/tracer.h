/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracer.h - is ftrace, which calls the trampoline, alive and on, and does it stay so
 */
#ifndef KPROF_TRACER_H
#define KPROF_TRACER_H

#include <linux/types.h>

#include "stacks/detour.h"

#if KPROF_HAS_DIRECT
bool kprof_tracer_is_dead(void);
bool kprof_tracer_has_call(unsigned long function);
int kprof_tracer_hold(void);
void kprof_tracer_release(void);
#else
static inline bool kprof_tracer_has_call(unsigned long function) { return false; }
static inline int kprof_tracer_hold(void) { return 0; }
static inline void kprof_tracer_release(void) { }
#endif

#endif /* KPROF_TRACER_H */
