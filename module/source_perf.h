/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source_perf.h - samples each time a performance counter has counted so many
 */
#ifndef KPROF_SOURCE_PERF_H
#define KPROF_SOURCE_PERF_H

#include "config.h"

int kprof_perf_start(const struct kprof_config *config);
void kprof_perf_stop(void);
void kprof_perf_forget(void);

#endif /* KPROF_SOURCE_PERF_H */
