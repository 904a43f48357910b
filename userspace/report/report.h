/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - the numbers of a report: shares of the time, latencies of calls
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
	const char *text[REPORT_NR_KEYS];	/* by key, in the order of the table's keys */
	const char *module;	/* of a symbol: "" where there is none, or where it is a key */
	bool is_user;		/* a function of a program */
	uint64_t self;		/* the leaf of a stack */
	uint64_t children;	/* anywhere in a stack, counted once a stack */
	uint64_t samples;	/* as self, by number */
	uint64_t count[TALLY_COUNTS];	/* of the leaf, by event */
	size_t last_row;	/* private, as what follows: the stack it was last counted in */
	size_t len;		/* of all texts, which lie one behind the other */
};

/* Largest first: by self, or by children. */
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
	bool by_children;	/* the largest in children comes first, not that in self */
};

void report_table_make(struct report_table *t, const struct data *d, const struct tally *tally,
		       const struct report_order *order);
void report_table_free(struct report_table *t);

/*
 * How many per cent of the total would be charged to other entries if samples were
 * counted by number: merged ticks, or a counter whose samples weigh differently.
 */
double report_shift(const struct report_table *t);

struct report_latency {
	const char *name;
	uint64_t calls, total, min, p50, p90, p99, max;	/* nanoseconds */
};

struct report_output;

/*
 * One for each target with calls that returned, of those calls that the report is of; returns
 * how many. Free *latency.
 */
size_t report_latencies(const struct report_output *o, struct report_latency **latency);

#endif /* KPROF_REPORT_H */
