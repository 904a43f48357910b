/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - compute the numbers of a report: shares of the time, latencies of calls
 */
#ifndef KPROF_REPORT_H
#define KPROF_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "data/data.h"
#include "data/tally.h"
#include "lib/arena.h"
#include "lib/hash.h"
#include "report/report_keys.h"

struct report_entry {
	const char *text[REPORT_NR_KEYS];	/* in the order of the table's keys */
	const char *module;	/* of a symbol; "" if it has none, or if the module is a key */
	bool is_user;		/* a user space function */
	uint64_t self;		/* where it is the leaf of the stack */
	uint64_t children;	/* where it is anywhere in the stack; once per stack */
	uint64_t samples;	/* like self, but the number of samples */
	uint64_t count[TALLY_COUNTS];	/* where it is the leaf, by event */
	/* Private from here on. */
	size_t last_row;	/* the stack in which it was counted last */
	size_t len;		/* of all texts, which are contiguous */
};

/* Entries are sorted, largest first, by self or by children. */
struct report_table {
	struct report_keys keys;
	struct report_entry *entry;
	size_t nr, room;
	uint64_t total, samples;
	uint64_t count[TALLY_COUNTS];	/* of all entries */
	struct arena names;
	struct hash table;	/* private: of entries */
};

struct report_order {
	struct report_keys keys;
	bool by_weight;		/* else by number */
	bool by_children;	/* sort by children, not by self */
};

void report_table_make(struct report_table *t, const struct data *d, const struct tally *tally,
		       const struct report_order *order);
void report_table_free(struct report_table *t);

/*
 * How many per cent of the total would be charged to other entries if samples were counted by
 * number. That is not 0 if ticks were merged, or if samples of a counter have different weights.
 */
double report_shift(const struct report_table *t);

struct report_latency {
	const char *name;
	uint64_t calls, total, min, p50, p90, p99, max;	/* nanoseconds */
};

struct report_output;

/*
 * Make a latency row for each target that has calls that returned, counting only calls that the
 * report is about. Returns how many. Free *latency.
 */
size_t report_latencies(const struct report_output *o, struct report_latency **latency);

#endif /* KPROF_REPORT_H */
