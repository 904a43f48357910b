/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.h - samples each time a performance counter has counted so many
 */
#ifndef KPROF_PERF_H
#define KPROF_PERF_H

#include "base/config.h"

int kprof_perf_start(const struct kprof_config *config);
void kprof_perf_stop(void);
void kprof_perf_forget(void);

#endif /* KPROF_PERF_H */
