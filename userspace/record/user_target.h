/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_target.h - targets in programs and libraries, whose names become offsets in files
 */
#ifndef KPROF_USER_TARGET_H
#define KPROF_USER_TARGET_H

#include <stdbool.h>

#define TARGETS_MAX	256	/* how many functions a pattern may match */

/*
 * Does a target name a function of a program ("/usr/bin/make:main"), or of a library
 * ("libc:malloc")? Libraries are those of the dynamic linker's cache. A loaded kernel module of
 * that name comes first.
 */
bool user_target_is(const char *given);

typedef void (*user_target_fn)(void *data, const char *line, bool is_match);

/*
 * Translate the names in a target. Calls @add with each line for the module; of a pattern, with as
 * many as match. Returns EXIT_OK, or EXIT_ERROR after a message.
 */
int user_target_translate(const char *given, user_target_fn add, void *data);

#endif /* KPROF_USER_TARGET_H */
