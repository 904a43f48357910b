// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_runs_read.c - read the recordings, or folded texts, of several runs a side
 *
 * Of the recordings, only the first one of each side stays in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "data/account.h"
#include "diff/diff_runs.h"
#include "lib/msg.h"

/* --- latencies --- */

/* The runs of one side should be alike. What probes cost is measured at each boot. */
static void warn_unlike(const struct diff_runs *r, enum diff_side side, const char *path,
			const struct data *d)
{
	struct diff pair = {
		.path = { r->path[side][0], path }, .data = { &r->first[side], d },
	};
	size_t i;

	diff_boot_make(&pair);
	for (i = 0; i < pair.nr_changes; i++) {
		const struct diff_change *c = &pair.change[i];

		if (!strcmp(c->kind, "probe"))
			continue;
		msg_warn("'%s' and '%s' are runs of one side, but differ: %s %s", pair.path[0],
			 path, c->kind, c->name);
		break;
	}
	diff_free(&pair);
}

static int add_latencies(struct diff_runs *r, enum diff_side side, size_t run,
			 const struct stacks_side *file)
{
	struct lat_table t = { 0 };
	struct buf where = { 0 };
	char error[256];
	int ret;

	if (!lat_is_measurement(&file->data))
		return msg_error("%s: neither stacks nor a measurement of latency", file->name);
	if (lat_of_data(&t, &file->data, error)) {
		ret = msg_error("%s: %s", file->name, error);
	} else {
		buf_printf(&where, "%s: ", file->name);
		ret = lat_warn(&file->data, &t, where.data);
		if (account_warn(&file->data, file->name))
			ret = EXIT_LOST;
		buf_free(&where);
		if (r->net)
			lat_net(&t, &file->data);
		diff_runs_add_table(r, side, run, &t);
		/* Machines may differ. */
		if (run && (!r->machines || !(run % r->machines)))
			warn_unlike(r, side, file->name, &file->data);
	}
	lat_free(&t);
	return ret;
}

/* --- stacks --- */

/* Each run must be counted in the same unit, unless it is shares of its total that are compared. */
static int check_unit(struct diff_runs *r, const struct stacks_side *file,
		      const struct data_unit *unit, bool is_asked, bool first)
{
	if (r->by_shares) {
		snprintf(r->unit, sizeof(r->unit), "percent");
		return EXIT_OK;
	}
	if (first) {
		snprintf(r->unit, sizeof(r->unit), "%s", unit->name);
		r->are_samples = unit->has_samples;
		r->are_counts = *unit->name && !unit->by_weight;
		return EXIT_OK;
	}
	if (*r->unit && *unit->name && r->are_samples != unit->has_samples && !is_asked)
		return msg_error("%s is counted in %s of %s and %s in %s of %s, which do not compare; --ns compares time all the same",
				 r->path[DIFF_A][0], r->unit, r->are_samples ? "samples" : "calls",
				 file->name, unit->name, unit->has_samples ? "samples" : "calls");
	if (strcmp(r->unit, unit->name))
		return msg_error("%s is counted in %s and %s in %s, which do not compare%s",
				 r->path[DIFF_A][0], *r->unit ? r->unit : "its own unit",
				 file->name, *unit->name ? unit->name : "its own unit",
				 *r->unit && *unit->name ? "; --ns counts time in all, --normalize "
							   "compares shares of the totals" :
							   "; --normalize compares shares of the "
							   "totals");
	return EXIT_OK;
}

void diff_runs_add_functions(struct diff_runs *r, enum diff_side side, size_t run,
			     const struct folded *f, const char *below)
{
	size_t at = side == DIFF_A ? run : r->nr[DIFF_A] + run, nr, i;
	struct diff_function *function = diff_functions(f, below, &nr);
	const folded_count by = r->by_shares && f->total > 0 ? 100 / f->total : 1;

	for (i = 0; i < nr; i++) {
		struct diff_runs_row *row = diff_runs_row(r, function[i].name, "");

		row->of[DIFF_SELF].value[at] = by * function[i].self[1];
		row->of[DIFF_TOTAL].value[at] = by * function[i].total[1];
	}
	r->total[side] += by * f->total / r->nr[side];
	free(function);
}

static int add_stacks(struct diff_runs *r, enum diff_side side, size_t run,
		      struct stacks_side *file, const struct data_fold_options *options)
{
	struct data_fold_options part = *options;
	struct data_unit unit = { .name = "" };
	struct folded folded, joined, *from = &file->text;
	int ret = from->bad_lines ? EXIT_LOST : EXIT_OK, error = EXIT_OK;

	folded_init(&folded, FOLDED_MERGE);
	folded_init(&joined, FOLDED_MERGE);
	if (file->is_recording) {
		from = &folded;
		part.unit = &unit;
		/* A run in which only one of several sources was seen is as the others. */
		part.source_frames = DATA_NEVER;
		r->least = DIFF_RUNS_LEAST;
		ret = data_fold_opened(&file->data, file->name, &part, from);
	}
	if (unit.nr_left_out > r->left_out)
		r->left_out = unit.nr_left_out;
	if (ret == EXIT_OK || ret == EXIT_LOST)
		error = check_unit(r, file, &unit, options->count != DATA_COUNT_DEFAULT,
				   side == DIFF_A && !run);
	if (!error && ret == EXIT_OK && !from->total)
		msg_warn("%s: there are no stacks, so it counts as a run in which nothing was seen",
			 file->name);
	if (!error && (ret == EXIT_OK || ret == EXIT_LOST) && folded_has_clones(from)) {
		folded_add_side(&joined, from, false);
		from = &joined;
	}
	if (!error && (ret == EXIT_OK || ret == EXIT_LOST)) {
		diff_runs_add_functions(r, side, run, from, NULL);
		if (r->each)
			r->each(r->arg, side, run, from, file->is_recording ? &file->data : NULL);
	}
	folded_free(&folded);
	folded_free(&joined);
	return error ? error : ret;
}

/* --- both --- */

static int add_file(struct diff_runs *r, enum diff_side side, size_t run,
		    struct stacks_side *file, const struct data_fold_options *part)
{
	enum diff_kind kind = diff_has_stacks(file) ? DIFF_FUNCTIONS : DIFF_LATENCIES;
	int ret;

	if (file->json.len)
		return msg_usage("'%s' is JSON: blocks are compared two at a time", file->name);
	if (diff_refuse_cut(file) || stacks_refuse_empty(file))
		return EXIT_ERROR;
	if (side == DIFF_A && !run)
		r->kind = kind;
	if (r->kind != kind)
		return msg_error("'%s' has %s and '%s' has %s: runs of a kind are compared",
				 r->path[DIFF_A][0],
				 r->kind == DIFF_FUNCTIONS ? "stacks" : "latencies", file->name,
				 kind == DIFF_FUNCTIONS ? "stacks" : "latencies");
	ret = kind == DIFF_FUNCTIONS ? add_stacks(r, side, run, file, part) :
				       add_latencies(r, side, run, file);
	if (!run && kind == DIFF_LATENCIES) {
		/* It is not closed with the file. */
		r->first[side] = file->data;
		file->data = (struct data){ 0 };
	}
	return ret;
}

static size_t count_standard_input(const struct diff_runs *r)
{
	size_t nr = 0, run;
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++)
		for (run = 0; run < r->nr[side]; run++)
			nr += !strcmp(r->path[side][run], "-");
	return nr;
}

int diff_runs_read(struct diff_runs *r, const struct data_fold_options *part)
{
	int side, all = EXIT_OK, ret;
	size_t run;

	r->source = part->query.source;

	if (count_standard_input(r) > 1)
		return msg_usage("standard input can be one of the runs, not several");
	for (side = 0; side < DIFF_NR_SIDES; side++) {
		for (run = 0; run < r->nr[side]; run++) {
			struct stacks_side file;

			ret = stacks_read_side(&file, r->path[side][run], part, true);
			if (ret == EXIT_OK)
				ret = add_file(r, side, run, &file, part);
			stacks_close_side(&file);
			if (r->lost[side])
				r->lost[side][run] = ret == EXIT_LOST;
			if (ret != EXIT_OK)
				all = ret;
			if (ret != EXIT_OK && ret != EXIT_LOST)
				return ret;
		}
	}
	if (r->kind == DIFF_FUNCTIONS)
		return all;
	r->head.path[DIFF_A] = r->path[DIFF_A][0];
	r->head.path[DIFF_B] = r->path[DIFF_B][0];
	r->head.data[DIFF_A] = &r->first[DIFF_A];
	r->head.data[DIFF_B] = &r->first[DIFF_B];
	diff_boot_make(&r->head);
	diff_runs_join(r);
	return all;
}
