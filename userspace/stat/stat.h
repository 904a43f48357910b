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

#include "lib/cpus.h"
#include "lib/json.h"
#include "lib/opt.h"

/* --- events: stat_event.c --- */

struct stat_event {
	char name[128];		/* as the user gave it */
	const char *kind;	/* the canonical name, without ":u" and ":k"; "" if it has none */
	uint32_t type;		/* type and config are those of struct perf_event_attr */
	uint64_t config[3];
	bool no_user, no_kernel;
	bool is_time;		/* counts nanoseconds */
	double scale;		/* a count times this is the value */
	char unit[16];		/* of the value; "": a plain count */
	struct cpus *cpus;	/* the only CPUs that count it for all tasks; NULL: any */
	size_t group;		/* those of a number have their turns together; 0: has its own */
};

struct stat_events {
	struct stat_event *event;
	size_t nr, groups;
};

/* All names, NULL-terminated. */
const char *const *stat_event_names(void);

/*
 * Parse "NAME[:u|:k|:uk],..." and append the events to those that are already there. An event of a
 * PMU is PMU/TERM,.../[u|k|uk]; the PMU is a directory of STAT_PMUS. GROUP:NAME is a tracepoint.
 * {EVENT,...}[:u|:k|:uk] is a group.
 */
int stat_events_parse(struct stat_events *events, const char *text);
void stat_events_add(struct stat_events *events, const struct stat_event *event);
void stat_events_free(struct stat_events *events);
/* The names of all events that this machine can count, separated by commas. Free the result. */
char *stat_events_available(void);

/* --- events of a PMU: stat_pmu.c --- */

#define STAT_PMUS	"/sys/bus/event_source/devices"

/*
 * Set type, config, scale, unit and cpus of an event of the PMU @pmu, which is described by the
 * files of the directory @root/@pmu as the kernel's sysfs-bus-event_source-devices documents them.
 * @terms is "TERM[=VALUE],...", as perf takes them.
 */
int stat_pmu_event(struct stat_event *event, const char *root, const char *pmu,
		   const char *terms);

/* --- tracepoints: stat_trace.c --- */

#define STAT_TRACEPOINTS	"/sys/kernel/tracing/events"

/*
 * Append "GROUP:NAME", or all that the pattern NAME matches, in the order of their names. @root has
 * a directory for each GROUP.
 */
int stat_tracepoints(struct stat_events *events, const char *root, const char *text);

/* --- counters: stat_count.c --- */

/* What to count: each of the tasks on each of the CPUs; a single -1: any. */
struct stat_targets {
	pid_t *pid;
	size_t nr_pids;
	int *cpu;
	size_t nr_cpus;
	bool on_exec;		/* begin when the task calls execve() */
};

/* (stat_targets.c) Functions that return int return 0, or EXIT_ERROR after a message. */
void stat_targets_add_pid(struct stat_targets *t, pid_t pid);
/* Counters are inherited by new tasks, but each existing thread needs its own. */
int stat_targets_add_threads(struct stat_targets *t, const char *pid);
/* @cpus: a list that is right, or NULL: the whole system's, or if it is not of the @system, any. */
int stat_targets_add_cpus(struct stat_targets *t, const char *cpus, bool system);
void stat_targets_free(struct stat_targets *t);

/* What was read of a counter; the times are in nanoseconds. */
struct stat_reading {
	uint64_t value, enabled, running;
};

/* The counters of an event. */
struct stat_counter {
	struct stat_fd {
		int fd, cpu;
		size_t target;	/* task and CPU, as stat_open() goes through them */
		bool follows;	/* it counts whenever the first of its group does */
		struct stat_reading last;
	} *fd;
	size_t nr;		/* 0: the machine does not support the event */
	double scale;
};

struct stat_value {
	bool supported;
	double value;		/* times the event's scale, and by enabled / running */
	uint64_t enabled, running;	/* nanoseconds, sum of all its counters */
	size_t silent;		/* number of counters that were never scheduled */
};

/* Open a counter for each event, but not for events that the machine does not support. */
int stat_open(struct stat_counter *counters, const struct stat_events *events,
	      const struct stat_targets *targets);
void stat_enable(const struct stat_counter *counters, size_t nr, bool on);
/* What an event counted on @cpu since it was last read. @cpu -1: by all its counters. */
int stat_read(struct stat_counter *counter, int cpu, struct stat_value *value);
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
	struct stat_result *result;	/* by event, and for each by its rows */
	size_t nr_rows;			/* of an event: 1, or a row for each CPU */
	const int *cpu;			/* of each row; NULL: there is one row for all */
	bool intervals;			/* this is an interval, of several */
	double at;			/* its end, in seconds since the start */
	struct stat_mean elapsed, user, system;	/* seconds */
	char *what;			/* what was counted: "'make -j8'", "the whole system" */
	bool has_command;
};

static inline struct stat_result *stat_result_of(const struct stat_results *r, size_t event,
						 size_t row)
{
	return &r->result[event * r->nr_rows + row];
}

/* Add another run: the value of a counter; a duration. */
void stat_result_add(struct stat_result *result, const struct stat_value *value);
void stat_mean_add(struct stat_mean *m, double value);

enum stat_format { STAT_TEXT, STAT_CSV, STAT_JSON };

struct stat_printer {
	enum stat_format format;
	const char *separator;	/* of STAT_CSV; NULL: commas, and a header line */
	FILE *out;
	/* Private from here on. */
	bool begun;
	struct json json;
};

/* Print results. Of intervals, it is called for each; what is printed is flushed. */
void stat_print(struct stat_printer *p, const struct stat_results *r);
/* After the last results. */
void stat_print_end(struct stat_printer *p);

/* --- what is missing: stat_judge.c --- */

/* Return: 0, or after a message EXIT_LOST: one never had a turn; EXIT_ERROR: there is none. */
int stat_judge(const struct stat_results *r);

#endif /* KPROF_STAT_H */
