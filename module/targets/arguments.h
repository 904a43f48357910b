/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arguments.h - checks the arguments among a target's keys against BTF
 */
#ifndef KPROF_ARGUMENTS_H
#define KPROF_ARGUMENTS_H

#include <linux/types.h>

struct kprof_target;

/* Room for what kprof_target_about_arguments() writes. */
#define KPROF_ABOUT_ARGUMENTS	112

void kprof_target_look_at_arguments(struct kprof_target *target);
void kprof_target_about_arguments(const struct kprof_target *target, char *text, size_t size);

#endif /* KPROF_ARGUMENTS_H */
