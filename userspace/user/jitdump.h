/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * jitdump.h - the functions in a jit-PID.dump, which a process writes for code that it generates
 *
 * It is what "perf inject --jit" reads: records with addresses, names and code. Offsets are
 * addresses. Where code was replaced, the functions are those that were there last.
 */
#ifndef KPROF_USER_JITDUMP_H
#define KPROF_USER_JITDUMP_H

#include <stdio.h>

#include "user/code.h"

/* More than this is left out. */
#define JITDUMP_RECORDS_MAX	1000000
#define JITDUMP_NAME_MAX	1023		/* bytes of a name */
#define JITDUMP_NAMES_MAX	(32u << 20)	/* bytes of all names */

/* Read it up to its end, or to what makes no sense. Nothing in it is trusted. */
void user_jitdump_read(struct user_functions *f, FILE *in);

#endif /* KPROF_USER_JITDUMP_H */
