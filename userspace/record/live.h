/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.h - measure, and show each call, span or point as it happens
 */
#ifndef KPROF_LIVE_H
#define KPROF_LIVE_H

#include <stdbool.h>

#include "lib/opt.h"
#include "record/follow.h"

/**
 * struct live - what is measured, and who shows it
 * @target:	target lines
 * @nr_targets:	number of lines
 * @skip_missing: leave out targets that cannot be watched
 * @pids:	processes to measure
 * @all:	not only COMMAND and @pids
 * @comm:	names of tasks; NULL: all
 * @cpus:	CPUs; NULL: all
 * @module:	file to load; NULL: find it
 * @duration:	seconds; 0: until something else ends it
 * @ring_kb:	size of each CPU's ring
 * @own:	not without what kprof itself does
 * @csv:	losses go to standard error, not into the output
 * @begin:	called once, when nothing can be refused any more
 * @show:	called for each event; returns false when that is enough
 * @data:	for these two
 */
struct live {
	const char *const *target;
	int nr_targets;
	bool skip_missing;
	const struct opt_list *pids;
	bool all;
	const char *comm, *cpus, *module;
	double duration;
	long ring_kb;
	bool own, csv;
	void (*begin)(void *data);
	bool (*show)(const struct follow_event *event, void *data);
	void *data;
	bool is_enough;		/* private */
};

#define LIVE_RING_KB	1024

/* Measure, show, and say what was lost. @command may be empty. Returns an exit status. */
int live_run(struct live *l, char **command);

#endif /* KPROF_LIVE_H */
