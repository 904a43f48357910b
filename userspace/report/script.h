/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script.h - print the samples of a recording one by one, in the format of perf script
 */
#ifndef KPROF_SCRIPT_H
#define KPROF_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/data.h"
#include "data/tally.h"

/*
 * Print the samples that match @query, in order of time; its by_* are ignored. Returns -1 if
 * it names a source that the recording does not have, else how many were printed. @cgroups: each
 * event is followed by the cgroup of its task.
 */
int64_t script_print(const struct data *d, const struct tally_query *query, bool cgroups,
		     FILE *out);

#endif /* KPROF_SCRIPT_H */
