// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_script.c - a recording as the text of perf script, as kprof script prints it
 */
#include <stdio.h>

#include "export/export_formats.h"
#include "lib/opt.h"
#include "report/script.h"

static int write_perf_script(struct export *e)
{
	e->is_empty = script_print(e->data, &e->query, false, stdout) <= 0;
	return EXIT_OK;
}

/* Lines are parts of names, if they are asked for. */
const struct export_format export_perf_script = {
	.name = "perf-script",
	.holds = EXPORT_THREADS | EXPORT_TASKS | EXPORT_CPUS | EXPORT_TIMES | EXPORT_LINES,
	.write = write_perf_script,
};
