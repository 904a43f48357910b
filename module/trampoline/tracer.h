/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracer.h - checks that ftrace, which calls the trampoline, works, and keeps it on
 */
#ifndef KPROF_TRACER_H
#define KPROF_TRACER_H

#include <linux/types.h>

#include "stacks/stacks.h"

#if KPROF_HAS_DIRECT
bool kprof_tracer_is_dead(void);
#endif

#endif /* KPROF_TRACER_H */
