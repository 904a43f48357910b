/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script.h - the samples of a recording one by one, as perf script prints them
 */
#ifndef KPROF_SCRIPT_H
#define KPROF_SCRIPT_H

#include <stdio.h>

#include "data/data.h"
#include "data/tally.h"

/*
 * Those that @query lets pass, in the order of time. Its by_* mean nothing. -1 where it names
 * a source that the recording does not have.
 */
int script_print(const struct data *d, const struct tally_query *query, FILE *out);

#endif /* KPROF_SCRIPT_H */
