// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded.c - a recording as folded text, as kprof fold prints it
 */
#include <stdio.h>

#include "data/data_fold.h"
#include "export/export_formats.h"
#include "lib/opt.h"

static int write_folded(struct export *e)
{
	struct data_unit unit;
	const struct data_fold_options options = { .query = e->query, .unit = &unit };
	struct folded folded;

	folded_init(&folded, FOLDED_MERGE);
	data_fold_tally(e->data, &options, &folded);
	data_unit_tell(&unit, e->path);
	folded_write(&folded, stdout);
	e->is_empty = folded_is_empty(&folded);
	folded_free(&folded);
	return EXIT_OK;
}

/* Lines are parts of names, if they are asked for. */
const struct export_format export_folded = {
	.name = "folded",
	.holds = EXPORT_TASKS | EXPORT_LINES,
	.write = write_folded,
};
