/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rooted.h - whether a user stack begins where its program or thread does
 */
#ifndef KPROF_ROOTED_H
#define KPROF_ROOTED_H

#include "data/data.h"

/* Does a partial user stack end at the start of a program or thread? Then it is complete. */
bool data_is_rooted(const struct data *d, const struct kprof_stack *stack);

#endif /* KPROF_ROOTED_H */
