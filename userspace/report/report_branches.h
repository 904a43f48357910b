/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_branches.h - a report as a tree of stacks: a line for each branch of some size
 *
 * A branch goes on, in its line, as long as all of it is in one only child. Branches below the
 * limit are left out, and what they have in all is told: what is shown by itself and what is hidden
 * add up to the total.
 */
#ifndef KPROF_REPORT_BRANCHES_H
#define KPROF_REPORT_BRANCHES_H

#include "report/report_print.h"

#define REPORT_BRANCH_LIMIT	0.5	/* per cent of the total; the default of text */

/* The tree of the samples that @fold says, in each format. */
void report_branches_text(struct report_output *o, const struct data_fold_options *fold);
void report_branches_csv_header(struct report_output *o);
void report_branches_csv(struct report_output *o, const char *source,
			 const struct data_fold_options *fold);
void report_branches_json(struct report_output *o, const struct data_fold_options *fold);

#endif /* KPROF_REPORT_BRANCHES_H */
