/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain.h - kprof explain: what its rounds of measurement have in common
 */
#ifndef KPROF_CMD_EXPLAIN_H
#define KPROF_CMD_EXPLAIN_H

#include "explain/explain.h"

#define EXPLAIN_MAX_ROUNDS	6	/* by keys: three, each repeated */

/* The measurements and their results. */
struct explain_work {
	const char *target;
	const char *filters;	/* if= and min=, after a space; or "" */
	char **command;
	struct lat_table table[EXPLAIN_MAX_ROUNDS];
	struct explain_group group[EXPLAIN_MAX_ROUNDS];
	int nr;
	int round, rounds;	/* which one it is, and how many there will be at most */
	struct explain result;
	struct buf net;		/* lines on what --net subtracted */
	bool interrupted;
	int lost;		/* EXIT_OK, or EXIT_LOST */
	int status;		/* of the command, in the last round in which it failed */
};

/*
 * A round: measure targets, lines as the module takes them. @what: what is looked at. Returns
 * EXIT_OK, or EXIT_ERROR after a message. Free @t in both cases.
 */
int explain_measure(struct explain_work *w, const char *const *target, int nr, struct lat_table *t,
		    const char *what);

/* --- which of the functions that it calls (explain_inside.c) --- */

/*
 * Measure what the function calls, after the keys were ranked, and print where it is slow. Returns
 * EXIT_OK, or EXIT_ERROR after a message.
 */
int explain_inside(struct explain_work *w);

#endif /* KPROF_CMD_EXPLAIN_H */
