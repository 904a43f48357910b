/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parameters.h - the module parameters
 */
#ifndef KPROF_PARAMETERS_H
#define KPROF_PARAMETERS_H

#include "base/config.h"

/* A longer list is a mistake, and nobody would read the log message to its end. */
#define KPROF_MAX_TARGETS_TEXT	8192

int kprof_parameters_parse(struct kprof_config *config);
int kprof_parameters_targets(void);
int kprof_parameters_enable(bool *start);

#endif /* KPROF_PARAMETERS_H */
