/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - what the options of a target say of it: its keys, and its name
 */
#ifndef KPROF_TARGET_OPTIONS_H
#define KPROF_TARGET_OPTIONS_H

struct kprof_keyset;

int kprof_options_parse(struct kprof_keyset *keys, const char *name, const char *options,
			int (*find)(const char *name));
int kprof_options_name(const char *options, char *room, const char **name);

#endif /* KPROF_TARGET_OPTIONS_H */
