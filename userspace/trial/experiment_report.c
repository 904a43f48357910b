// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment_report.c - compare the runs of an experiment, and report it as text, JSON and HTML
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/stacks.h"
#include "trial/experiment.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/plural.h"

/* --- the runs --- */

/*
 * Of recordings with calls, the samples alone. Sources have no frames: a run in which only one of
 * several was seen is as the others.
 */
static const struct data_fold_options part = {
	.query = { .context = TALLY_ANY }, .samples_first = true, .source_frames = DATA_NEVER,
};

int experiment_stacks(const struct experiment_run *run, struct folded *f)
{
	struct stacks_side file;
	struct folded text;
	int ret = stacks_read_side(&file, run->path, NULL, false);

	folded_init(f, FOLDED_MERGE);
	if (file.is_recording) {
		ret = ret ? ret : data_fold_opened(&file.data, file.name, &part, f);
	} else {
		text = file.text;
		file.text = *f;
		*f = text;
	}
	stacks_close_side(&file);
	return ret == EXIT_LOST ? EXIT_OK : ret;
}

/* --- text --- */

static void print_text(const struct experiment *e, const struct diff_runs *r,
		       const struct experiment_refined *x, FILE *out)
{
	static const char *const names[] = {
		"order", "run", "seconds", "lost", "side", "machine", "args"
	};
	static const char *const of_one[] = { "order", "run", "seconds", "lost", "side", "args" };
	bool machines = e->nr_machines;
	const struct diff_output o = { .out = out };
	struct columns c;
	size_t i;

	fprintf(out, "# experiment: %s\n# ", e->title);
	escape_print(e->file, out);
	fprintf(out, ", %ld runs a side", e->runs);
	if (machines)
		fprintf(out, " on %zu machine%s", e->nr_machines, plural(e->nr_machines));
	fprintf(out, ", seed %" PRIu64 "\n#\n", e->seed);
	columns_begin(&c, machines ? names : of_one, machines ? 7 : 6, 3);
	for (i = 0; i < e->nr_runs; i++) {
		const struct experiment_run *run = &e->run[i];

		columns_add(&c, "%zu", i + 1);
		columns_add(&c, "%zu", run->nr + 1);
		if (run->seconds >= 0)
			columns_add(&c, "%.1f", run->seconds);
		else
			columns_add(&c, "-");
		columns_add(&c, "%s", r->lost[run->side][run->nr] ? "yes" : "no");
		columns_add(&c, "%s", e->side[run->side].name);
		if (machines)
			columns_add(&c, "%s", run->machine);
		columns_add(&c, "%s", e->side[run->side].args);
	}
	columns_print(&c, out);
	fputs("#\n", out);
	diff_runs_print_text(&o, r);
	experiment_refined_print(x, out);
}

/* --- JSON --- */

static void print_json(const struct experiment *e, const struct diff_runs *r,
		       const struct experiment_refined *x, FILE *out)
{
	const struct diff_output o = { .out = out };
	struct json j = json_begin(out);
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_text(&j, "title", e->title);
	json_text(&j, "file", e->file);
	json_u64(&j, "seed", e->seed);
	json_array(&j, "runs", JSON_LINES);
	for (i = 0; i < e->nr_runs; i++) {
		const struct experiment_run *run = &e->run[i];

		json_object(&j, NULL, JSON_LINE);
		json_text(&j, "side", run->side == DIFF_A ? "a" : "b");
		json_text(&j, "name", e->side[run->side].name);
		json_text(&j, "args", e->side[run->side].args);
		json_u64(&j, "run", run->nr + 1);
		if (run->machine)
			json_text(&j, "machine", run->machine);
		json_text(&j, "file", run->path);
		if (run->seconds >= 0)
			json_number(&j, "seconds", run->seconds, 1);
		else
			json_null(&j, "seconds");
		json_bool(&j, "lost", r->lost[run->side][run->nr]);
		json_close(&j);
	}
	json_close(&j);
	diff_runs_json(&j, &o, r);
	experiment_refined_json(x, &j);
	json_end(&j);
}

/* --- all of it --- */

typedef int write_report(const struct experiment *e, const struct diff_runs *r,
			 const struct experiment_refined *x, FILE *out);

static int write_text(const struct experiment *e, const struct diff_runs *r,
		      const struct experiment_refined *x, FILE *out)
{
	print_text(e, r, x, out);
	return EXIT_OK;
}

static int write_json(const struct experiment *e, const struct diff_runs *r,
		      const struct experiment_refined *x, FILE *out)
{
	print_json(e, r, x, out);
	return EXIT_OK;
}

static int write_one(const struct experiment *e, const struct diff_runs *r,
		     const struct experiment_refined *x, const char *folder, const char *name,
		     write_report *write)
{
	struct buf path = { 0 };
	int ret = EXIT_ERROR, error;
	FILE *out;

	buf_printf(&path, "%s/%s", folder, name);
	out = fopen(path.data, "w");
	if (out) {
		ret = write(e, r, x, out);
		error = ferror(out);
		if (fclose(out) || error)
			ret = msg_error("cannot write '%s': %s", path.data, strerror(errno));
	} else {
		msg_error("cannot create '%s': %s", path.data, strerror(errno));
	}
	buf_free(&path);
	return ret;
}

static int write_all(const struct experiment *e, const struct diff_runs *r,
		     const struct experiment_refined *x, const char *folder)
{
	int ret = write_one(e, r, x, folder, "report.txt", write_text);

	if (ret == EXIT_OK)
		ret = write_one(e, r, x, folder, "report.json", write_json);
	if (ret == EXIT_OK)
		ret = write_one(e, r, x, folder, "report.html", experiment_html);
	if (ret == EXIT_OK)
		print_text(e, r, x, stdout);
	return ret;
}

int experiment_report(const struct experiment *e, const char *folder, bool may_run)
{
	struct diff_runs r = {
		.nr = { e->runs, e->runs }, .machines = e->nr_machines,
		.threshold = e->threshold, .rate = e->rate,
	};
	char **path[DIFF_NR_SIDES];
	struct experiment_refined x = { .nr = 0 };
	int side, ret, refined, written;
	size_t i;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		path[side] = mem_zalloc(e->runs, sizeof(*path[side]));
		r.lost[side] = mem_zalloc(e->runs, sizeof(*r.lost[side]));
	}
	for (i = 0; i < e->nr_runs; i++)
		path[e->run[i].side][e->run[i].nr] = e->run[i].path;
	r.path[DIFF_A] = path[DIFF_A];
	r.path[DIFF_B] = path[DIFF_B];
	experiment_refine_begin(&x, &r);
	ret = diff_runs_read(&r, &part);
	if (ret == EXIT_OK || ret == EXIT_LOST) {
		diff_runs_judge(&r);
		refined = experiment_refine(&x, e, &r, folder, may_run);
		written = write_all(e, &r, &x, folder);
		ret = written != EXIT_OK ? written : refined != EXIT_OK ? refined : ret;
	}
	experiment_refined_free(&x);
	diff_runs_free(&r);
	for (side = 0; side < DIFF_NR_SIDES; side++) {
		free(path[side]);
		free(r.lost[side]);
	}
	return ret;
}
