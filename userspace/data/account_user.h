/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account_user.h - how many user stacks are not whole, and what to do about it
 */
#ifndef KPROF_ACCOUNT_USER_H
#define KPROF_ACCOUNT_USER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/data.h"

/* How user stacks were unwound: numbers of stacks. */
struct account_user {
	uint64_t taken;
	uint64_t partial;	/* of these, those that end before a root */
	uint64_t early;		/* of these, those that met a file whose rules came later */
	uint64_t cut;		/* of these, those that were deeper than @depth */
	uint64_t ruled;		/* of these, those that rules led through */
	uint64_t depth;		/* frames that are kept; 0: not known */
};

/* Take a counter of stats that begins with "user.", by the rest of its name; it grew by @n. */
void account_user_take(struct account_user *user, const char *counter, uint64_t n);

/*
 * The module cannot tell where a program or a thread starts, names do. Take the stacks of the
 * recording that are whole by their names from those that end before a root; and find out how many
 * frames were kept.
 */
void account_user_look(struct account_user *user, const struct data *d);

/* Is any number so large that account_user_print() would tell it? */
bool account_user_is_told(const struct account_user *user);

/* A line for each number that is more than a few per cent, with what to do about it. */
void account_user_print(const struct account_user *user, const char *prefix, FILE *out);

#endif /* KPROF_ACCOUNT_USER_H */
