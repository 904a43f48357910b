// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment_refine.c - where the difference is: in which system call, function and block
 *
 * Of stacks, the system calls whose time with all that they call differs are taken apart: only what
 * is below one is compared again. Of the function that differs most, the blocks are compared, if
 * the experiment has a command that counts them.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/mem.h"
#include "lib/msg.h"
#include "symbols/functions.h"
#include "trial/experiment.h"

/* --- system calls --- */

static struct diff_runs runs_like(const struct diff_runs *r)
{
	return (struct diff_runs){
		.kind = DIFF_FUNCTIONS, .nr = { r->nr[DIFF_A], r->nr[DIFF_B] },
		.path = { r->path[DIFF_A], r->path[DIFF_B] }, .machines = r->machines,
		.threshold = r->threshold, .rate = r->rate, .least = r->least,
	};
}

static uint32_t find_name(const struct strtab *names, const struct strtab_entry *name)
{
	return strtab_find(names, name->text, name->len);
}

/* What a task is named, or a function of a program, is no function of the kernel. */
static void note_kernel(struct experiment_refined *x, const struct folded *f,
			const struct data *d)
{
	struct strtab symbols = { .nr = 0 };
	uint32_t i;
	size_t k;

	for (k = 0; d && k < d->symbols.nr; k++)
		strtab_add(&symbols, d->symbols.sym[k].name, strlen(d->symbols.sym[k].name));
	for (i = 1; i < f->nr_nodes; i++) {
		const struct strtab_entry *name = &f->names.name[f->node[i].name];

		if (!diff_is_task(f, i) && (!d || find_name(&symbols, name) != STRTAB_NONE))
			strtab_add(&x->kernel, name->text, name->len);
	}
	strtab_free(&symbols);
}

/* Add up system calls with all that is below them: what is theirs here is their total there. */
static void add_calls(struct experiment_refined *x, size_t at, const struct folded *f)
{
	folded_count *total = folded_totals(f);
	bool *is_inside = mem_zalloc((size_t)f->nr_nodes + 1, sizeof(*is_inside));
	uint32_t i;

	for (i = 1; i < f->nr_nodes; i++) {
		const struct strtab_entry *name = &f->names.name[f->node[i].name];
		struct diff_runs_row *row;

		is_inside[i] = is_inside[f->node[i].parent];
		if (is_inside[i] || !function_begins_call(name->text) || diff_is_task(f, i) ||
		    find_name(&x->kernel, name) == STRTAB_NONE)
			continue;
		is_inside[i] = true;
		row = diff_runs_row(&x->calls, name->text, "");
		row->of[DIFF_SELF].value[at] += total[i];
		row->of[DIFF_TOTAL].value[at] += total[i];
	}
	free(is_inside);
	free(total);
}

static void add_stacks(void *arg, enum diff_side side, size_t run, const struct folded *f,
		       const struct data *d)
{
	struct experiment_refined *x = arg;

	note_kernel(x, f, d);
	add_calls(x, side == DIFF_A ? run : x->calls.nr[DIFF_A] + run, f);
}

void experiment_refine_begin(struct experiment_refined *x, struct diff_runs *r)
{
	x->calls = runs_like(r);
	r->each = add_stacks;
	r->arg = x;
}

/* The rows that differ come first, the largest difference at the head. */
static void choose_calls(struct experiment_refined *x, const struct diff_runs *r)
{
	size_t i;

	diff_runs_judge(&x->calls);
	for (i = 0; i < x->calls.nr_rows; i++) {
		if (!x->calls.row[i].of[DIFF_SELF].found)
			continue;
		if (x->nr == EXPERIMENT_CALLS) {
			x->more++;
			continue;
		}
		x->below[x->nr] = runs_like(r);
		x->call[x->nr++] = &x->calls.row[i];
	}
}

/* Add what a run has below each of the system calls. */
static int add_run(struct experiment_refined *x, const struct experiment_run *run)
{
	struct folded f;
	int ret = experiment_stacks(run, &f);
	size_t i;

	for (i = 0; i < x->nr && !ret; i++)
		diff_runs_add_functions(&x->below[i], run->side, run->nr, &f, x->call[i]->target);
	folded_free(&f);
	return ret;
}

static int refine_calls(struct experiment_refined *x, const struct experiment *e,
			const struct diff_runs *r)
{
	int ret = EXIT_OK;
	size_t i;

	choose_calls(x, r);
	for (i = 0; i < e->nr_runs && x->nr && !ret; i++)
		ret = add_run(x, &e->run[i]);
	for (i = 0; i < x->nr && !ret; i++)
		diff_runs_judge(&x->below[i]);
	return ret;
}

/* --- blocks --- */

/* A name that can be given to kprof blocks: no frame such as "[unknown]" or "new_slab_[i]". */
static bool is_function(const char *name)
{
	for (; isalnum((unsigned char)*name) || *name == '_' || *name == '.'; name++)
		;
	return !*name;
}

/* Is it one of the kernel, whose blocks can be counted? */
static bool is_countable(const struct experiment_refined *x, const struct diff_runs *r,
			 const char *name)
{
	return is_function(name) && (r->kind != DIFF_FUNCTIONS ||
				     strtab_find(&x->kernel, name, strlen(name)) != STRTAB_NONE);
}

/* The function that itself differs most: below the first system calls, or else anywhere. */
static const char *choose_function(const struct experiment_refined *x, const struct diff_runs *r)
{
	enum diff_quantity of = r->kind == DIFF_FUNCTIONS ? DIFF_SELF : DIFF_AVG;
	const struct diff_runs_row *best = NULL;
	size_t nr = x->nr ? x->nr : 1, i, k;

	for (i = 0; i < nr; i++) {
		const struct diff_runs *part = x->nr ? &x->below[i] : r;

		for (k = 0; k < part->nr_rows; k++) {
			const struct diff_runs_row *row = &part->row[k];

			if (row->of[of].found && is_countable(x, r, row->target) &&
			    (!best || fabs(row->of[of].difference) >
				      fabs(best->of[of].difference)))
				best = row;
		}
	}
	return best ? best->target : NULL;
}

/* Read the counts of both sides, and compare them. */
static int compare_blocks(struct experiment_refined *x)
{
	char error[256];
	int side, ret = EXIT_OK;

	for (side = 0; side < DIFF_NR_SIDES && !ret; side++) {
		struct buf *json = &x->json[side];

		if (input_load(x->path[side], json, error))
			ret = msg_error("%s: %s", x->path[side], error);
		else if (!json->len)
			ret = msg_error("%s: is empty", x->path[side]);
		else
			ret = diff_blocks_read(&x->blocks.side[side], x->path[side], json->data);
	}
	if (!ret)
		ret = diff_blocks_match(x->blocks.side);
	if (!ret)
		diff_blocks_compare(&x->blocks);
	x->has_blocks = !ret;
	return ret;
}

static int refine_blocks(struct experiment_refined *x, const struct experiment *e,
			 const char *folder, bool may_run)
{
	int side, ret = EXIT_OK;

	for (side = 0; side < DIFF_NR_SIDES && !ret; side++) {
		struct buf path = { 0 };

		buf_printf(&path, "%s/blocks-%s-%c", folder, x->function, 'a' + side);
		x->path[side] = arena_copy(&x->texts, path.data, path.len);
		buf_free(&path);
		if (access(x->path[side], R_OK) && may_run)
			ret = experiment_run_blocks(e, side, x->path[side], x->function);
		else if (access(x->path[side], R_OK))
			return EXIT_OK;	/* nothing is to be run, so there are no blocks */
	}
	return ret ? ret : compare_blocks(x);
}

/* --- all of it --- */

int experiment_refine(struct experiment_refined *x, const struct experiment *e,
		      const struct diff_runs *r, const char *folder, bool may_run)
{
	int ret = EXIT_OK;

	x->blocks.threshold = e->threshold;
	x->machine = e->nr_machines ? e->machine[0] : NULL;
	if (r->kind == DIFF_FUNCTIONS)
		ret = refine_calls(x, e, r);
	if (ret)
		return ret;
	x->function = choose_function(x, r);
	if (x->function && e->side[DIFF_A].commands.blocks && e->side[DIFF_B].commands.blocks)
		ret = refine_blocks(x, e, folder, may_run);
	if (ret == EXIT_ERROR) {
		msg_warn("there are no blocks of %s, but all else", x->function);
		ret = EXIT_OK;
	}
	return ret;
}

void experiment_refined_free(struct experiment_refined *x)
{
	size_t i;
	int side;

	for (i = 0; i < x->nr; i++)
		diff_runs_free(&x->below[i]);
	diff_runs_free(&x->calls);
	strtab_free(&x->kernel);
	diff_blocks_free(&x->blocks);
	for (side = 0; side < DIFF_NR_SIDES; side++)
		buf_free(&x->json[side]);
	arena_free(&x->texts);
}

/* --- text --- */

static void print_change(const struct diff_values *v, FILE *out)
{
	double mean = v->side[DIFF_A].mean;

	if (mean > 0)
		fprintf(out, "%+.1f %%", 100 * v->difference / mean);
	else
		fprintf(out, "%+.1f, A has none", v->difference);
	fprintf(out, " (%.1f to %.1f, q %.4f)\n", mean, v->side[DIFF_B].mean, v->adjusted);
}

static void print_functions(const struct diff_runs *r, FILE *out)
{
	size_t i, shown = 0;

	for (i = 0; i < r->nr_rows && shown < EXPERIMENT_FUNCTIONS; i++) {
		if (!r->row[i].of[DIFF_SELF].found)
			continue;
		fprintf(out, "#   %s: itself ", r->row[i].target);
		print_change(&r->row[i].of[DIFF_SELF], out);
		shown++;
	}
	if (!shown)
		fputs("#   no function below it differs by itself\n", out);
}

void experiment_refined_print(const struct experiment_refined *x, FILE *out)
{
	size_t i;

	if (!x->nr && !x->has_blocks)
		return;
	fputs("#\n# where: by system call, then function, then block\n", out);
	for (i = 0; i < x->nr; i++) {
		fprintf(out, "# %s: with all that it calls ", x->call[i]->target);
		print_change(&x->call[i]->of[DIFF_SELF], out);
		print_functions(&x->below[i], out);
	}
	if (x->more)
		fprintf(out, "# and %zu more\n", x->more);
	if (!x->has_blocks)
		return;
	fprintf(out, "# blocks of %s, which differs most: a run of each side%s%s\n#\n",
		x->function, x->machine ? " on " : "", x->machine ? x->machine : "");
	diff_blocks_print_text(&x->blocks, EXPERIMENT_BLOCKS, out);
}

/* --- JSON --- */

static void put_change(struct json *j, const struct diff_values *v)
{
	json_number(j, "a", v->side[DIFF_A].mean, 3);
	json_number(j, "b", v->side[DIFF_B].mean, 3);
	json_number(j, "q", v->adjusted, 6);
}

void experiment_refined_json(const struct experiment_refined *x, struct json *j)
{
	size_t i, k;

	json_array(j, "where", JSON_LINES);
	for (i = 0; i < x->nr; i++) {
		json_object(j, NULL, JSON_LINES);
		json_text(j, "call", x->call[i]->target);
		put_change(j, &x->call[i]->of[DIFF_SELF]);
		json_array(j, "functions", JSON_LINES);
		for (k = 0; k < x->below[i].nr_rows; k++) {
			const struct diff_runs_row *row = &x->below[i].row[k];

			if (!row->of[DIFF_SELF].found)
				continue;
			json_object(j, NULL, JSON_LINE);
			json_text(j, "function", row->target);
			put_change(j, &row->of[DIFF_SELF]);
			json_close(j);
		}
		json_close(j);
		json_close(j);
	}
	json_close(j);
	json_text(j, "blocks_of", x->has_blocks ? x->function : NULL);
	json_text(j, "blocks_a", x->has_blocks ? x->path[DIFF_A] : NULL);
	json_text(j, "blocks_b", x->has_blocks ? x->path[DIFF_B] : NULL);
}
