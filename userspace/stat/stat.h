/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stat.h - count perf events: parse their names, open and read counters, print results
 *
 * Functions that return int return 0, or an exit code after a message.
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
	char name[48];		/* as the user gave it */
	const char *kind;	/* the canonical name, without ":u" and ":k" */
	uint32_t type;		/* type and config are those of struct perf_event_attr */
	uint64_t config;
	bool no_user, no_kernel;
	bool is_time;		/* counts nanoseconds */
};

struct stat_events {
	struct stat_event *event;
	size_t nr;
};

/* All names, NULL-terminated. */
const char *const *stat_event_names(void);

/* Parse "NAME[:u|:k|:uk],..." and append the events to those that are already there. */
int stat_events_parse(struct stat_events *events, const char *text);
void stat_events_free(struct stat_events *events);
/* The names of all events that this machine can count, separated by commas. Free the result. */
char *stat_events_available(void);

/* --- counters: stat_count.c --- */

/* What to count: each of the tasks on each of the CPUs; a single -1: any. */
struct stat_targets {
	pid_t *pid;
	size_t nr_pids;
	int *cpu;
	size_t nr_cpus;
	bool on_exec;		/* begin when the task calls execve() */
};

struct stat_counter {
	int *fd;
	size_t nr;		/* 0: the machine does not support the event */
};

struct stat_value {
	bool supported;
	double value;		/* scaled by enabled / running */
	uint64_t enabled, running;	/* nanoseconds, sum of all its counters */
	size_t silent;		/* number of counters that were never scheduled */
};

/* Open a counter for each event, but not for events that the machine does not support. */
int stat_open(struct stat_counter *counters, const struct stat_events *events,
	      const struct stat_targets *targets);
void stat_enable(const struct stat_counter *counters, size_t nr, bool on);
int stat_read(const struct stat_counter *counter, struct stat_value *value);
void stat_close(struct stat_counter *counters, size_t nr);

/* --- results: stat_print.c --- */

/* For the mean over several runs, and its standard error. */
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
	char *what;			/* what was counted: "'make -j8'", "the whole system" */
	bool has_command;
};

/* Add another run: the value of a counter; a duration. */
void stat_result_add(struct stat_result *result, const struct stat_value *value);
void stat_mean_add(struct stat_mean *m, double value);

void stat_print_text(const struct stat_results *r, FILE *out);
/* If @separator is NULL, fields are separated by commas and there is a header line. */
void stat_print_csv(const struct stat_results *r, const char *separator, FILE *out);
void stat_print_json(const struct stat_results *r, FILE *out);

#endif /* KPROF_STAT_H */
