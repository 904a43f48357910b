/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timer.h - samples at a fixed rate on each CPU
 */
#ifndef KPROF_TIMER_H
#define KPROF_TIMER_H

#include "base/config.h"

int kprof_timer_start(const struct kprof_config *config);
void kprof_timer_stop(void);
void kprof_timer_forget(void);

#endif /* KPROF_TIMER_H */
