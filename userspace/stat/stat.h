/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stat.h - counting events: which ones, of whom, and what was counted
 *
 * Functions that return int give 0, or an exit code after a message.
 */
#ifndef KPROF_STAT_H
#define KPROF_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "lib/opt.h"

/* --- events: stat_event.c --- */

struct stat_event {
	char name[48];		/* as it was asked for */
	const char *kind;	/* the same without ":u", ":k" and other names for it */
	uint32_t type;		/* as in struct perf_event_attr, with what follows */
	uint64_t config;
	bool no_user, no_kernel;
	bool is_time;		/* counts nanoseconds */
};

struct stat_events {
	struct stat_event *event;
	size_t nr;
};

/* The names there are, up to a NULL. */
const char *const *stat_event_names(void);

/* "NAME[:u|:k|:uk],..."; names a usage error in @option. They add up. */
int stat_events_parse(struct stat_events *events, const char *text);
void stat_events_free(struct stat_events *events);
/* The names of all that this machine can count, separated by commas. Free it. */
char *stat_events_available(void);

/* --- counters: stat_count.c --- */

/* Whom to count: each of the tasks on each of the CPUs; -1 alone: any. */
struct stat_targets {
	pid_t *pid;
	size_t nr_pids;
	int *cpu;
	size_t nr_cpus;
	bool on_exec;		/* begin when the task executes a program */
};

struct stat_counter {
	int *fd;
	size_t nr;		/* 0: the machine does not have it */
};

struct stat_value {
	bool supported;
	double value;		/* scaled up by time */
	uint64_t enabled, running;	/* nanoseconds, of all its counters */
	size_t silent;		/* counters that never had their turn */
};

/* One counter for each event; what the machine does not have gets none. */
int stat_open(struct stat_counter *counters, const struct stat_events *events,
	      const struct stat_targets *targets);
void stat_enable(const struct stat_counter *counters, size_t nr, bool on);
int stat_read(const struct stat_counter *counter, struct stat_value *value);
void stat_close(struct stat_counter *counters, size_t nr);

/* --- results: stat_print.c --- */

/* Over several runs: the mean, and the standard error of it. */
struct stat_mean {
	double sum, squares;
	int runs;
};

struct stat_result {
	struct stat_value sum;	/* of all runs */
	struct stat_mean mean;
};

struct stat_results {
	const struct stat_events *events;
	struct stat_result *result;	/* by event */
	struct stat_mean elapsed, user, system;	/* seconds */
	char *what;			/* was counted: "'make -j8'", "the whole system" */
	bool has_command;
};

/* Another run: what a counter has counted, and how long something took. */
void stat_result_add(struct stat_result *result, const struct stat_value *value);
void stat_mean_add(struct stat_mean *m, double value);

void stat_print_text(const struct stat_results *r, FILE *out);
/* With a line of headings where @separator is NULL: commas, then. */
void stat_print_csv(const struct stat_results *r, const char *separator, FILE *out);
void stat_print_json(const struct stat_results *r, FILE *out);

#endif /* KPROF_STAT_H */
