/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - the task filters, pid= and comm=
 */
#ifndef KPROF_FILTER_H
#define KPROF_FILTER_H

#include "base/config.h"

bool kprof_filter_task(const struct kprof_config *config, struct task_struct *task);

#endif /* KPROF_FILTER_H */
