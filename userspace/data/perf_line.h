/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_line.h - the head of a sample, as perf script prints it
 *
 *	COMM PID/TID [CPU] MISC SECONDS: PERIOD EVENT: TEXT
 *
 * 'perf script -F' leaves fields out, so each field but one may be missing. The name of a task may
 * contain anything, also what looks like another field: "Pool 12 worker" is one name. So a head is
 * parsed from its time, or from its event, backwards, and of several readings the one is taken
 * whose name is no longer than the kernel allows.
 */
#ifndef KPROF_PERF_LINE_H
#define KPROF_PERF_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The head of a sample. Texts point into the line. */
struct perf_head {
	const char *comm;
	size_t comm_len;	/* 0: the line has no name */
	const char *pid;	/* "PID/TID" or one of them; NULL: the line has none */
	const char *cpu;	/* "[001]"; NULL: likewise */
	const char *time;	/* "SECONDS:"; NULL: likewise */
	uint64_t weight;	/* the period; 1 if the line has none */
	const char *event;	/* without its colon; event_len 0: the line has no event */
	size_t event_len;
	const char *behind;	/* the event, with the blanks by which fields are aligned */
	const char *rest;	/* the text of a tracepoint, or the only frame */
	size_t rest_len;
	bool is_doubtful;	/* one number may be the thread id or the period */
};

/*
 * Parse the head of a sample: true if the line has a time; or an event or a CPU behind a thread id.
 */
bool perf_line_take_head(const char *line, size_t len, struct perf_head *head);

/* The same where a name and a thread id are all that the line has. Many lines look like that. */
bool perf_line_take_bare_head(const char *line, size_t len, struct perf_head *head);

/* The time of a head in ns; UINT64_MAX if it is larger than that, or there is none. */
uint64_t perf_line_time(const struct perf_head *head);

#endif /* KPROF_PERF_LINE_H */
