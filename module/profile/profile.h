/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profile.h - what was seen: stacks, tasks, counts, latencies, records
 *
 * This directory has the memory that samples go to. It knows the configuration, but not who
 * writes or reads: both come from layers above. Writing takes no lock, in any context.
 */
#ifndef KPROF_PROFILE_H
#define KPROF_PROFILE_H

#include "profile/latency.h"
#include "profile/memory.h"
#include "profile/wake.h"

#endif /* KPROF_PROFILE_H */
