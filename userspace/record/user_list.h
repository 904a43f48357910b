/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_list.h - lists the functions and the markers (USDT) of a program or a library
 */
#ifndef KPROF_USER_LIST_H
#define KPROF_USER_LIST_H

#include <stdbool.h>

/* Is it "FILE:PATTERN", and FILE a program or a library? */
bool user_list_is(const char *pattern);

/*
 * Print what matches, as it is to be given as a target: functions, or, of FILE:PROVIDER:PATTERN,
 * markers. Unless @is_bare, with the arguments of markers. Without a wildcard, whatever contains
 * PATTERN matches. Returns EXIT_OK, or EXIT_ERROR after a message.
 */
int user_list(const char *pattern, bool is_bare);

#endif /* KPROF_USER_LIST_H */
