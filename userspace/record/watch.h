/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch.h - measure calls until the measurement ends; show them once, or every interval
 */
#ifndef KPROF_WATCH_H
#define KPROF_WATCH_H

#include "record/measurement.h"
#include "record/snapshot.h"
#include "record/watch_user.h"

/**
 * struct watch - what to measure, and whom
 * @idle_too:	include what the idle task runs and waits for
 * @user:	stacks of programs are a key of the rows, and this is for them; NULL: they are not
 * @output:	write a recording, too; "-" is standard output
 * @target:	lines in the module's format, or patterns
 * @set_targets: sets targets that are found out only now, instead of @target; returns as
 *		setup_set_targets()
 * @begun:	called when the measurement begins
 * @show:	called with the calls of an interval, or with all calls; may change @t
 * @tables:	number of tables shown so far, if there are intervals
 *
 * Options that are NULL, 0 or false have no effect. Times are in seconds.
 */
struct watch {
	const char *const *target;
	int nr_targets;
	bool skip_missing;
	const struct opt_list *pids;
	bool all, idle_too, own;
	const char *comm, *cpus, *module, *clock, *output;
	struct watch_user *user;
	long max_rows, max_open, maxactive;
	double duration, interval;
	long count;
	enum lat_sort sort;
	int (*set_targets)(struct watch *w, struct setup *c);
	void (*begun)(struct watch *w);
	void (*show)(struct watch *w, const struct data *view, struct lat_table *t);
	int tables;
	/* Private from here on. */
	int out;
	bool ended;		/* with the processes, not by a signal or the time */
	struct measurement measurement;
	struct snapshots snapshots;
};

/* Measure; @command may be empty. Returns EXIT_OK, EXIT_LOST or EXIT_ERROR. */
int watch_run(struct watch *w, char **command);

#endif /* KPROF_WATCH_H */
