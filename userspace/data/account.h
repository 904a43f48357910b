/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account.h - what became of every sample: the module's counters against the recording
 *
 * For each source: fired = filtered + captured + lost. "fired" and "filtered"
 * are the module's, over the time of the recording; "captured" is counted in
 * the recording itself, so "lost" is all that went astray on the way, whatever
 * the cause.
 */
#ifndef KPROF_ACCOUNT_H
#define KPROF_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/data.h"
#include "lib/buf.h"

struct account_row {
	const char *name;	/* the recording's */
	uint64_t fired;
	uint64_t filtered;	/* dropped because it was asked for */
	uint64_t captured;
	uint64_t lost;
};

/* Why samples are filtered; the names of the counters are in account.c. */
enum account_filter {
	ACCOUNT_IDLE, ACCOUNT_ASKED, ACCOUNT_UNBEGUN, ACCOUNT_FILTERS
};

struct account {
	struct account_row *row;
	size_t nr;
	struct account_row total;	/* name NULL */
	uint64_t filtered[ACCOUNT_FILTERS];	/* the same, by why */
	uint64_t ring_dropped;		/* records, of all sources */
	uint64_t no_stack;		/* samples that found the stack table full */
	uint64_t overrun;		/* ticks of the timer that came too late */
	struct buf causes;		/* "ring.dropped_full 12, ..." */
};

#define KPROF_NR_SOURCES	(1u << KPROF_SOURCE_BITS)

/* What is in a recording. */
struct account_counts {
	uint64_t samples, calls;
	uint64_t captured[KPROF_NR_SOURCES];	/* samples by source */
	uint64_t no_stack;
};

/*
 * What the sources, the rings apart, dropped between two states of "stats" though
 * nobody asked for it: how much, and in @causes "NAME.dropped_full 12, ...".
 */
uint64_t account_dropped(const struct buf *before, const struct buf *after, struct buf *causes);

/* By how much a counter grew, of all sources together: "left_out". */
uint64_t account_growth(const struct buf *before, const struct buf *after, const char *counter);

/*
 * Calls that were none of those asked for: by pid, comm, cpus and what of if= is known at
 * their entry; by min= and the rest of if=.
 */
void account_left_out(const struct buf *before, const struct buf *after, uint64_t *at_entry,
		      uint64_t *at_return);

void account_count(struct account_counts *counts, const struct kprof_record *rec, size_t nr);
void account_make(struct account *a, const struct data *d, const struct account_counts *counts);
void account_free(struct account *a);

/* The account of a whole recording; false where it was cut off and has none. */
bool account_of_data(struct account *a, const struct data *d);

/*
 * One line for a heading: command, kernel, event and rate, duration, and what is lost; what the
 * recording does not tell is left out.
 */
void account_about(const struct data *d, struct buf *about);

/* A table of the sources, each line after @prefix. */
void account_print(const struct account *a, const char *prefix, FILE *out);

/* A line on standard error that says what a recording lost, if anything. */
int account_warn(const struct data *d, const char *path);	/* EXIT_OK or EXIT_LOST */

#endif /* KPROF_ACCOUNT_H */
