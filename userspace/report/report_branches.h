/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_branches.h - a report as a tree of stacks: a line for each branch that is large enough
 *
 * A line follows a branch as long as a single child has all of its count. Branches below the limit
 * are left out, and their sum is shown, so the self counts shown and the hidden sum add up to the
 * total. With keys there is a line for each group of samples, and its tree below it.
 */
#ifndef KPROF_REPORT_BRANCHES_H
#define KPROF_REPORT_BRANCHES_H

#include "report/report_print.h"

#define REPORT_BRANCH_LIMIT	0.5	/* per cent of the total; the default of the text format */

/* Print the tree of the samples that @fold selects, in each format. */
void report_branches_text(struct report_output *o, const struct data_fold_options *fold);
void report_branches_csv_header(struct report_output *o);
void report_branches_csv(struct report_output *o, const char *source,
			 const struct data_fold_options *fold);
void report_branches_json(struct report_output *o, const struct data_fold_options *fold);

#endif /* KPROF_REPORT_BRANCHES_H */
