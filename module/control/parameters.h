/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parameters.h - the parameters of insmod
 */
#ifndef KPROF_PARAMETERS_H
#define KPROF_PARAMETERS_H

#include "base/config.h"

/* Longer lists are a mistake, and what follows them in the log is not read. */
#define KPROF_MAX_TARGETS_TEXT	8192

int kprof_parameters_parse(struct kprof_config *config);
int kprof_parameters_targets(void);
int kprof_parameters_enable(bool *start);

#endif /* KPROF_PARAMETERS_H */
