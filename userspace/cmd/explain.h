/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain.h - kprof explain: what its rounds of measurement have in common
 */
#ifndef KPROF_CMD_EXPLAIN_H
#define KPROF_CMD_EXPLAIN_H

#include "data/data.h"
#include "data/frames.h"
#include "explain/explain.h"
#include "lib/opt.h"
#include "record/setup.h"

#define EXPLAIN_MAX_ROUNDS	6	/* by keys: three, each repeated */

/* What is measured, of the command line. */
struct explain_options {
	struct opt_list pids;
	double duration;	/* of a round, in seconds; 0: not given */
	bool all, net, own;
	const char *cpus, *comm, *module;
};

/* The measurements and their results. */
struct explain_work {
	const char *target;
	const char *filters;	/* if= and min=, after a space; or "" */
	const struct explain_options *options;
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

/* --- a round of measurement (explain_measure.c) --- */

struct explain_round {
	/* Returns EXIT_OK, or EXIT_ERROR after a message. */
	int (*set_targets)(struct setup *c, const void *arg);
	const void *arg;
	const char *what;	/* is looked at */
};

/*
 * Measure: targets that the round sets, or lines as the module takes them. Return EXIT_OK, or
 * EXIT_ERROR after a message. Free @t in both cases.
 */
int explain_measure_round(struct explain_work *w, const struct explain_round *r,
			  struct lat_table *t);
int explain_measure(struct explain_work *w, const char *const *target, int nr, struct lat_table *t,
		    const char *what);

/* The module's name of the target, which can have a suffix that the compiler added. */
const char *explain_measured_name(const struct lat_table *t, const char *target);

/* With --net, subtract what the probes of a measurement, whose data is @d, cost. */
void explain_take_off_probes(struct explain_work *w, struct lat_table *t, const struct data *d);

/* --- which range of a key (explain_finer.c) --- */

/*
 * Measure the calls with the values found in finer steps of keys that were looked at by powers of
 * two, if there are any, and print the range that is slow. Returns EXIT_OK, or EXIT_ERROR after a
 * message.
 */
int explain_finer(struct explain_work *w);

/* --- which of the functions that it calls (explain_inside.c) --- */

/*
 * Measure what the function calls, after the keys were ranked, and print where it is slow. Returns
 * EXIT_OK, or EXIT_ERROR after a message.
 */
int explain_inside(struct explain_work *w);

/* --- what determines the turns of its loops (explain_turns.c) --- */

/*
 * Measure the turns of the loops of a function, and print what determines them. @keys: those to
 * try, with commas between them; NULL: its arguments and members behind them. Returns EXIT_OK or
 * EXIT_LOST; after a message EXIT_ERROR or EXIT_USAGE.
 */
int explain_turns(struct explain_work *w, const char *keys, const struct frames_options *frames);

#endif /* KPROF_CMD_EXPLAIN_H */
