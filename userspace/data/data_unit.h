/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data_unit.h - the unit in which the stacks of a recording are counted
 *
 * A timer sample stands for all the time since the previous one. If interrupts
 * were off, that is many ticks. So shares are shares of time, unless the user
 * asks for samples. For a counter they are shares of events; if only targets
 * have records, shares of calls.
 */
#ifndef KPROF_DATA_UNIT_H
#define KPROF_DATA_UNIT_H

#include <stdbool.h>

#include "data/data.h"

enum data_count {
	DATA_COUNT_DEFAULT,
	DATA_COUNT_NS,		/* for targets, too: the time in their calls */
	DATA_COUNT_SAMPLES,
};

struct data_unit {
	bool by_weight;		/* else by number */
	bool has_samples;	/* there are samples, not only calls */
	char name[64];		/* ns, samples, calls or an event */
	int nr_sources;		/* that have records */
	int nr_left_out;	/* of calls, beside samples that are counted alone */
	bool is_part;		/* of what a filter lets pass */
	uint32_t without;	/* the id of the source that does not count; 0: none */
};

/* For the records of a source, or of all (NULL). */
void data_unit_choose(struct data_unit *unit, const struct data *d, enum data_count count,
		      const char *source);

/* Where there are samples, for these alone: calls, and what they took, are left out. */
void data_unit_choose_samples(struct data_unit *unit, const struct data *d, enum data_count count);

/* Where others have records, without the source of a name, if there is one. */
void data_unit_choose_without(struct data_unit *unit, const struct data *d, enum data_count count,
			      const char *source);

/* Was no CPU left out by --cpus? */
bool data_is_all_cpus(const struct data *d);

/*
 * Append what a sum of all stacks is, for the same query: CPU time, calls or an event; of which
 * tasks, CPUs and modes, and in how long.
 */
void data_unit_describe(const struct data_unit *unit, const struct data *d, struct buf *text);

/* Evaluate --ns and --samples. EXIT_OK, or EXIT_USAGE after a message if both are given. */
int data_count_of_options(bool ns, bool samples, enum data_count *count);

#define DATA_NS_HELP		"time, of calls, too; the default where the timer was at work"
#define DATA_SAMPLES_HELP	"the number of samples or calls, not time"

#endif /* KPROF_DATA_UNIT_H */
