/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_callers.h - print the callers of a report line below that line
 */
#ifndef KPROF_REPORT_CALLERS_H
#define KPROF_REPORT_CALLERS_H

#include "report/report_print.h"
#include "report/report_tree.h"

struct report_callers {
	struct report_tree tree;
	const struct report_keys *keys;
	const struct data *data;
};

/* Collect the callers in the samples that @fold selects. @keys must outlive @c. */
void report_callers_make(struct report_callers *c, const struct report_output *o,
			 const struct report_keys *keys, const struct data_fold_options *fold);
void report_callers_free(struct report_callers *c);

void report_callers_print(struct report_output *o, const struct report_callers *c,
			  const struct report_entry *e);

#endif /* KPROF_REPORT_CALLERS_H */
