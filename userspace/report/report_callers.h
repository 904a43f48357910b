/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_callers.h - who called what a line of a report stands for, below that line
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

/* Of the samples that @fold says; @keys must outlive it. */
void report_callers_make(struct report_callers *c, const struct report_output *o,
			 const struct report_keys *keys, const struct data_fold_options *fold);
void report_callers_free(struct report_callers *c);

void report_callers_print(struct report_output *o, const struct report_callers *c,
			  const struct report_entry *e);

#endif /* KPROF_REPORT_CALLERS_H */
