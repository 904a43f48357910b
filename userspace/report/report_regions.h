/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_regions.h - the functions that ran in each region of a program
 */
#ifndef KPROF_REPORT_REGIONS_H
#define KPROF_REPORT_REGIONS_H

#include "report/report_print.h"

enum report_regions_format { REPORT_REGIONS_TEXT, REPORT_REGIONS_CSV, REPORT_REGIONS_JSON };

/*
 * Print a table for each region. Of @o, data, path, out, lines (of a region), percent_limit,
 * source, query and unit count; regions_open() was called. *@is_empty: no record is left by the
 * query. Returns EXIT_OK; or EXIT_ERROR if the recording does not have this source, which
 * tally_check_source() tells.
 */
int report_regions(const struct report_output *o, enum report_regions_format format,
		   bool *is_empty);

#endif /* KPROF_REPORT_REGIONS_H */
