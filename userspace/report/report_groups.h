/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_groups.h - samples apart by the values of the keys: each group has a tree of its own
 */
#ifndef KPROF_REPORT_GROUPS_H
#define KPROF_REPORT_GROUPS_H

#include "data/tally.h"
#include "lib/strtab.h"
#include "report/report_keys.h"

struct report_group {
	const char *text[REPORT_NR_KEYS];	/* in the order of the keys */
	struct tally tally;
	uint64_t total;		/* nanoseconds, or samples */
	/* Private from here on. */
	size_t room;
};

/* The largest group comes first. */
struct report_groups {
	struct report_group *group;
	size_t nr;
	uint64_t total;
	/* Private from here on. */
	size_t room;
	struct strtab texts;
};

/* Of a function and its module, the innermost one of a sample counts. Free @g. */
void report_groups_make(struct report_groups *g, const struct data *d, const struct tally *all,
			const struct report_keys *keys, bool by_weight);
void report_groups_free(struct report_groups *g);

#endif /* KPROF_REPORT_GROUPS_H */
