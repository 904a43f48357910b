/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account.h - the loss account: compares the module's counters with the recording
 *
 * For each source: fired = filtered + captured + lost. "fired" and "filtered"
 * are counters of the module, over the time of the recording. "captured" is
 * counted in the recording itself, so "lost" covers every loss on the way,
 * whatever its cause.
 */
#ifndef KPROF_ACCOUNT_H
#define KPROF_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/account_user.h"
#include "data/data.h"
#include "lib/buf.h"

struct account_row {
	const char *name;	/* belongs to the recording */
	uint64_t fired;
	uint64_t filtered;	/* dropped by a filter that the user set */
	uint64_t captured;
	uint64_t lost;
};

/* Why samples are filtered; the names of the counters are in account.c. */
enum account_filter {
	ACCOUNT_IDLE, ACCOUNT_ASKED, ACCOUNT_OWN, ACCOUNT_UNBEGUN, ACCOUNT_UNMARKED, ACCOUNT_FILTERS
};

/* What the module did not know of the mappings of processes; see user.* in stats. */
struct account_maps {
	uint64_t stale;		/* samples without a user stack, as another mapping was there */
	uint64_t missed;	/* changes that the module missed */
	uint64_t limited;	/* changes that it left for later, as there were too many */
	uint64_t unwatched;	/* seconds in which it heard of no changes */
	uint64_t left_out;	/* mappings of processes that have too many */
	uint64_t full;		/* times that a user's share of the table of files was used up */
};

struct account {
	struct account_row *row;
	size_t nr;
	struct account_row total;	/* what was captured and lost, of all */
	uint64_t filtered[ACCOUNT_FILTERS];	/* what filters left out, by reason */
	uint64_t ring_dropped;		/* records dropped by the rings, of all sources */
	uint64_t no_stack;		/* samples that found the stack table full */
	uint64_t overrun;		/* timer ticks that came too late */
	uint64_t throttled;		/* timer ticks left out to keep max_cpu */
	uint64_t stopped;		/* times that perf stopped a counter */
	uint64_t gone;			/* samples in files that could not be opened */
	uint64_t duration_ns;		/* of the recording; 0: not known */
	uint64_t own_cpu_ns;		/* in it, CPU time of kprof itself */
	struct account_user user;
	struct account_maps maps;
	struct buf causes;		/* "ring.dropped_full 12, ..." */
};

#define KPROF_NR_SOURCES	(1u << KPROF_SOURCE_BITS)

/* Numbers of records in a recording. */
struct account_counts {
	uint64_t samples, calls;
	uint64_t captured[KPROF_NR_SOURCES];	/* samples by source */
	uint64_t no_stack;
};

/*
 * How much the sources (not the rings) dropped between two reads of "stats", without the drops
 * that a filter asked for. Appends "NAME.dropped_full 12, ..." to @causes.
 */
uint64_t account_dropped(const struct buf *before, const struct buf *after, struct buf *causes);

/*
 * By how much a counter, such as "left_out", grew over all sources; or a single one by its whole
 * name, such as "ring.dropped_full".
 */
uint64_t account_growth(const struct buf *before, const struct buf *after, const char *counter);

/*
 * Append the names of the targets that nothing has come to, joined by ", ", of which no more than
 * @most. Returns how many there are.
 */
size_t account_silent(const struct data *d, size_t most, struct buf *names);

/*
 * Numbers of calls that were filtered out: *at_entry by pid, comm, cpus and those parts of if=
 * that can be tested at entry; *at_return by min= and the rest of if=.
 */
void account_left_out(const struct buf *before, const struct buf *after, uint64_t *at_entry,
		      uint64_t *at_return);

void account_count(struct account_counts *counts, const struct kprof_record *rec, size_t nr);
void account_make(struct account *a, const struct data *d, const struct account_counts *counts);
void account_free(struct account *a);

/* The account of a recording. Returns false if the recording was cut off: it has no account. */
bool account_of_data(struct account *a, const struct data *d);

/* Print a table of the sources; each line begins with @prefix. */
void account_print(const struct account *a, const char *prefix, FILE *out);

/*
 * Print of account_print() the line on the CPU time that kprof took itself, if that is 1 % of a CPU
 * or more.
 */
void account_print_own_cpu(const struct data *d, const char *prefix, FILE *out);

/* Take a counter of stats, "user.COUNTER", which grew by @n. Returns false if it is another one. */
bool account_maps_take(struct account_maps *maps, const char *counter, uint64_t n);

/* Print a line for each that is not 0, with what can be done; each begins with @prefix. */
void account_maps_print(const struct account_maps *maps, const char *prefix, FILE *out);

/* If the recording lost anything, print a line on standard error that says what. */
int account_warn(const struct data *d, const char *path);	/* EXIT_OK or EXIT_LOST */

#endif /* KPROF_ACCOUNT_H */
