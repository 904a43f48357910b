/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probed.h - the functions of kprof that ftrace can trace
 */
#ifndef KPROF_PROBED_H
#define KPROF_PROBED_H

#include "stacks/stacks.h"

#if KPROF_HAS_DIRECT
void kprof_guarded(void);
#endif

#endif /* KPROF_PROBED_H */
