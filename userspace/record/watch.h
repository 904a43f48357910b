/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch.h - calls are measured until it is over, and shown: once, or each interval
 */
#ifndef KPROF_WATCH_H
#define KPROF_WATCH_H

#include "record/measurement.h"
#include "record/snapshot.h"

/**
 * struct watch - what is to be measured, and for whom
 * @idle_too:	also what the idle task runs and waits for
 * @output:	write a recording, too; "-" is standard output
 * @target:	lines, as the module takes them, or patterns
 * @begun:	it begins now
 * @show:	the calls of an interval, or all of them; it may change @t
 * @tables:	shown so far, where there are intervals
 *
 * What is NULL, 0 or false has no effect. Times are in seconds.
 */
struct watch {
	const char *const *target;
	int nr_targets;
	bool skip_missing;
	const struct opt_list *pids;
	bool all, idle_too;
	const char *comm, *cpus, *module, *clock, *output;
	long max_rows, max_open, maxactive;
	double duration, interval;
	long count;
	enum lat_sort sort;
	void (*begun)(struct watch *w);
	void (*show)(struct watch *w, const struct data *view, struct lat_table *t);
	int tables;
	int out;			/* private, as what follows */
	struct measurement measurement;
	struct snapshots snapshots;
};

/* Measure; @command may be empty. EXIT_OK, EXIT_LOST or EXIT_ERROR, whatever became of it. */
int watch_run(struct watch *w, char **command);

#endif /* KPROF_WATCH_H */
