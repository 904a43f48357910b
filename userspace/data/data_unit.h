/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data_unit.h - the unit in which the stacks of a recording are counted
 *
 * A timer sample stands for all the time since the previous one. If interrupts
 * were off, that is many ticks. So shares are shares of time, unless the user
 * asks for samples. For a counter they are shares of events. Calls count by
 * the time that they took; where none has a time, as at a point, by their number.
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
	const char *target;	/* the only one of these, if it is a target; else NULL */
	bool is_mixed;		/* samples of a counter, and others, which have another unit */
	int nr_untimed;		/* targets left out: time is counted, and their calls have none; */
	const char *untimed;	/* the first of these */
	int nr_left_out;	/* of calls, beside samples that are counted alone */
	bool is_part;		/* of what a filter lets pass */
	uint32_t without;	/* the id of the source that does not count; 0: none */
};

#define DATA_MAX_SOURCES	(1u << KPROF_SOURCE_BITS)

/* What each source has in a recording, by its id. */
struct data_presence {
	bool has_records[DATA_MAX_SOURCES];
	bool is_timed[DATA_MAX_SOURCES];	/* it is known how long calls took */
};

void data_presence_of(struct data_presence *of, const struct data *d);

/* For the records of one source. */
void data_unit_choose_one(struct data_unit *unit, const struct data *d,
			  const struct data_presence *of, enum data_count count, uint32_t id);

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

/* Append what a sum is alone: "CPU time", "time in calls of vfs_read", "cycles". */
void data_unit_sum(const struct data_unit *unit, struct buf *text);

/* Say on standard error what is shown of a recording, @name, whose sources have several units. */
void data_unit_tell(const struct data_unit *unit, const char *name);

/* Evaluate --ns and --samples. EXIT_OK, or EXIT_USAGE after a message if both are given. */
int data_count_of_options(bool ns, bool samples, enum data_count *count);

#define DATA_NS_HELP		"time, of samples and of calls; the default where there is any"
#define DATA_SAMPLES_HELP	"the number of samples or calls, not time"

#endif /* KPROF_DATA_UNIT_H */
