/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.h - starts, stops, configures and resets the profiler as a whole
 */
#ifndef KPROF_SESSION_H
#define KPROF_SESSION_H

#include <linux/types.h>

struct kprof_config;

int kprof_setup(struct kprof_config *config);
void kprof_teardown(void);
int kprof_configure(const struct kprof_config *config, bool sizes);
int kprof_start(void);
void kprof_stop(void);
void kprof_reset(void);

#endif /* KPROF_SESSION_H */
