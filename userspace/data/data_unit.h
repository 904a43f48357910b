/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data_unit.h - what the stacks of a recording are counted in
 *
 * A sample of the timer stands for all the time since the one before: where
 * interrupts were off, for many ticks. So time is what shares are of, unless
 * samples are asked for. Of a counter it is events, of targets alone calls.
 */
#ifndef KPROF_DATA_UNIT_H
#define KPROF_DATA_UNIT_H

#include <stdbool.h>

#include "data/data.h"

enum data_count {
	DATA_COUNT_DEFAULT,
	DATA_COUNT_NS,		/* of targets, too: the time in their calls */
	DATA_COUNT_SAMPLES,
};

struct data_unit {
	bool by_weight;		/* else by number */
	bool has_samples;	/* not only calls: number and weight may differ */
	char name[64];		/* ns, samples, calls or an event */
};

/* For the records of a source, or of all (NULL). */
void data_unit_choose(struct data_unit *unit, const struct data *d, enum data_count count,
		      const char *source);

/* --ns and --samples; EXIT_OK, or EXIT_USAGE after a message where both are given. */
int data_count_of_options(bool ns, bool samples, enum data_count *count);

#define DATA_NS_HELP		"time, of calls, too; the default where the timer was at work"
#define DATA_SAMPLES_HELP	"the number of samples or calls, not time"

#endif /* KPROF_DATA_UNIT_H */
