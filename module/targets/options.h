/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - the options of a target: its keys, its name, and how long they stay
 */
#ifndef KPROF_TARGET_OPTIONS_H
#define KPROF_TARGET_OPTIONS_H

#include <linux/types.h>

struct kprof_keyset;
struct kprof_target;

int kprof_options_parse(struct kprof_keyset *keys, const char *name, const char *options,
			int (*find)(const char *name));
int kprof_options_name(const char *options, char *room, const char **name);
int kprof_targets_check_ids(void);
bool kprof_lacks_user_stacks(const struct kprof_keyset *keys);
int kprof_targets_check_stacks(void);
void kprof_options_forget(struct kprof_target *target);
void kprof_options_settle(void);

#endif /* KPROF_TARGET_OPTIONS_H */
