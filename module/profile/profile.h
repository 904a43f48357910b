/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profile.h - what was seen: stacks, tasks, counts, latencies, records
 *
 * The room of the memory that samples go to. It knows the configuration, and nothing of who
 * writes and who reads: both come from above. Writing takes no lock, in any context.
 */
#ifndef KPROF_PROFILE_H
#define KPROF_PROFILE_H

#include "profile/latency.h"
#include "profile/memory.h"
#include "profile/wake.h"

#endif /* KPROF_PROFILE_H */
