// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_branches.c - a report as a tree of stacks: a line for each branch that is large enough
 */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/escape.h"
#include "lib/mem.h"
#include "report/report_branches.h"
#include "report/report_groups.h"
#include "report/report_tree.h"

/* A line: a branch, or the sum of the branches that are hidden at this place, or a group. */
struct branch {
	int depth;
	bool is_group;		/* w->group, below which its tree stands; or hidden ones */
	uint32_t first, last;	/* first and last node; each next one is an only child */
	size_t hidden;		/* number of hidden branches; first and last are their parent */
	double total, self;	/* per cent of the whole tree */
	uint64_t total_count, self_count;
};

struct walk {
	struct report_output *o;
	struct report_tree tree;
	const struct report_group *group;	/* that the tree is of; NULL: of all samples */
	folded_count all;	/* of all trees */
	const char *source;	/* for CSV */
	void (*print)(struct walk *w, const struct branch *b);
	size_t hidden;		/* hidden branches in the whole tree */
	folded_count hidden_total;
	double hidden_percent;	/* hidden_total, in per cent of the tree */
};

/* Only counts of a damaged recording exceed 64 bits. */
static uint64_t whole(folded_count count)
{
	return count < 0x1p64L ? (uint64_t)count : UINT64_MAX;
}

static void fill(const struct walk *w, struct branch *b, folded_count total, folded_count self)
{
	b->total_count = whole(total);
	b->self_count = whole(self);
	b->total = 100 * (double)(total / w->all);
	b->self = 100 * (double)(self / w->all);
}

static void walk_hidden(struct walk *w, uint32_t node, int depth, size_t nr, folded_count total)
{
	struct branch b = { .depth = depth, .first = node, .last = node, .hidden = nr };

	w->hidden += nr;
	w->hidden_total += total;
	fill(w, &b, total, total);
	w->print(w, &b);
}

static void walk_below(struct walk *w, uint32_t node, int depth)
{
	const struct report_tree *t = &w->tree;
	folded_count hidden_total = 0;
	size_t hidden = 0;
	uint32_t i, next;

	for (i = t->first[node]; i < t->first[node + 1]; i++) {
		uint32_t child = t->child[i];
		struct branch b = { .depth = depth, .first = child, .last = child };

		if (100 * (double)(t->total[child] / w->all) < w->o->percent_limit) {
			hidden++;
			hidden_total += t->total[child];
			continue;
		}
		while ((next = report_tree_only_child(t, b.last)))
			b.last = next;
		fill(w, &b, t->total[child], t->folded.self[b.last].after);
		w->print(w, &b);
		walk_below(w, b.last, depth + 1);
	}
	if (hidden)
		walk_hidden(w, node, depth, hidden, hidden_total);
}

static void walk_tree(struct walk *w, const struct data_fold_options *fold, int depth)
{
	report_tree_make(&w->tree, w->o->data, fold,
			 w->o->tree == REPORT_TREE_UP ? FOLDED_LEAF_FIRST : FOLDED_MERGE);
	if (!w->group)
		w->all = w->tree.total[0];
	if (w->all > 0)
		walk_below(w, 0, depth);
	report_tree_free(&w->tree);
}

static void walk_hidden_groups(struct walk *w, size_t nr, folded_count total)
{
	struct branch b = { .is_group = true, .hidden = nr };

	w->group = NULL;
	w->hidden += nr;
	w->hidden_total += total;
	fill(w, &b, total, total);
	w->print(w, &b);
}

/* A line for each group, and its tree below that. Groups come by size: what is hidden is last. */
static void walk_groups(struct walk *w, const struct data_fold_options *fold)
{
	struct report_output *o = w->o;
	struct data_fold_options mine = *fold;
	struct report_groups groups;
	folded_count so_far = 0;
	size_t i;

	report_groups_make(&groups, o->data, fold->tally, &o->order.keys, o->unit.by_weight);
	w->all = groups.total;
	for (i = 0; i < groups.nr; i++) {
		struct branch b = { .is_group = true };

		w->group = &groups.group[i];
		fill(w, &b, w->group->total, 0);
		if (b.total < o->percent_limit)
			break;
		w->print(w, &b);
		mine.tally = &w->group->tally;
		walk_tree(w, &mine, 1);
		so_far += w->group->total;
	}
	if (i < groups.nr)
		walk_hidden_groups(w, groups.nr - i, w->all - so_far);
	report_groups_free(&groups);
}

static void walk(struct walk *w, const struct data_fold_options *fold)
{
	if (w->o->is_grouped)
		walk_groups(w, fold);
	else
		walk_tree(w, fold, 0);
	if (w->all > 0)
		w->hidden_percent = 100 * (double)(w->hidden_total / w->all);
}

/* The nodes from @first to @last, or from the root if @first is 0. Free the result. */
static uint32_t *path_to(const struct walk *w, uint32_t first, uint32_t last, size_t *nr)
{
	uint32_t node, *path;
	size_t i = 0;

	for (node = last; node; node = node == first ? 0 : w->tree.folded.node[node].parent)
		i++;
	*nr = i;
	path = mem_zalloc(i, sizeof(*path));
	for (node = last; i; node = w->tree.folded.node[node].parent)
		path[--i] = node;
	return path;
}

/* --- text --- */

static void text_group(const struct walk *w)
{
	size_t i;

	for (i = 0; i < w->o->order.keys.nr; i++) {
		fputs(i ? ", " : "", w->o->out);
		escape_print(w->group->text[i], w->o->out);
	}
	fputs(":\n", w->o->out);
}

static void text_branch(struct walk *w, const struct branch *b)
{
	const char *between = w->o->tree == REPORT_TREE_UP ? " < " : " > ";
	FILE *out = w->o->out;
	uint32_t *path;
	size_t nr, i;

	/* Hidden branches that are small even in sum are only counted in the total at the end. */
	if (b->hidden && b->total < w->o->percent_limit)
		return;
	if (w->o->color)
		escape_paint(report_color(b->total), stdout);
	fprintf(out, "%7.2f%%", b->total);
	if (w->o->color)
		escape_paint("\033[0m", stdout);
	if (w->o->tree == REPORT_TREE_DOWN) {
		if (b->hidden || b->is_group)
			fprintf(out, " %9s", "");
		else
			fprintf(out, " %8.2f%%", b->self);
	}
	fprintf(out, " %12" PRIu64 "  %*s", b->total_count, 2 * b->depth, "");
	if (b->hidden) {
		fprintf(out, "(%zu more)\n", b->hidden);
		return;
	}
	if (b->is_group) {
		text_group(w);
		return;
	}
	path = path_to(w, b->first, b->last, &nr);
	for (i = 0; i < nr; i++)
		fprintf(out, "%s%s", i ? between : "", report_tree_name(&w->tree, path[i]));
	fputc('\n', out);
	free(path);
}

static const char *text_keys(const struct report_output *o, struct buf *keys)
{
	size_t i;

	for (i = 0; i < o->order.keys.nr; i++)
		buf_printf(keys, "%s%s", i ? ", " : "", report_key_names[o->order.keys.key[i]]);
	return keys->data;
}

void report_branches_text(struct report_output *o, const struct data_fold_options *fold)
{
	struct walk w = { .o = o, .print = text_branch };
	bool down = o->tree == REPORT_TREE_DOWN;
	struct buf keys = { 0 };

	fprintf(o->out, "#\n# %6s%s %12s  ", "total", down ? "      self" : "", o->unit.name);
	if (o->is_grouped)
		fprintf(o->out, "%s: ", text_keys(o, &keys));
	fprintf(o->out, "%s\n", down ? "who called > what" : "what < who called it");
	walk(&w, fold);
	if (w.hidden)
		fprintf(o->out, "# %zu more branch%s, each of less than %g %%: %.2f %% in all; "
			"--percent-limit 0 shows them\n", w.hidden, w.hidden == 1 ? "" : "es",
			o->percent_limit, w.hidden_percent);
	buf_free(&keys);
}

/* --- CSV: stacks as in folded text, from the root of the tree --- */

void report_branches_csv_header(struct report_output *o)
{
	struct csv *c = &o->csv;
	size_t i;

	*c = csv_begin(o->out, NULL);
	csv_text(c, "source");
	for (i = 0; o->is_grouped && i < o->order.keys.nr; i++)
		csv_text(c, report_key_names[o->order.keys.key[i]]);
	csv_text(c, "depth");
	csv_text(c, "total_percent");
	csv_text(c, "self_percent");
	report_csv_unit(o, "total");
	report_csv_unit(o, "self");
	csv_text(c, "hidden");
	csv_text(c, "stack");
	if (o->units_differ)
		csv_text(c, "unit");
	csv_end_line(c);
}

static void csv_branch(struct walk *w, const struct branch *b)
{
	struct csv *c = &w->o->csv;
	struct buf stack = { 0 };
	uint32_t *path;
	size_t nr, i;

	csv_text(c, w->source ? w->source : "");
	for (i = 0; w->o->is_grouped && i < w->o->order.keys.nr; i++)
		csv_text(c, w->group ? w->group->text[i] : "");
	csv_u64(c, b->depth);
	csv_number(c, b->total, 4);
	csv_number(c, b->self, 4);
	csv_u64(c, b->total_count);
	csv_u64(c, b->self_count);
	csv_u64(c, b->hidden);
	path = b->is_group ? NULL : path_to(w, 0, b->last, &nr);
	for (i = 0; path && i < nr; i++)
		buf_printf(&stack, "%s%s", i ? ";" : "", report_tree_name(&w->tree, path[i]));
	csv_text(c, stack.len ? stack.data : "");
	if (w->o->units_differ)
		csv_text(c, w->o->unit.name);
	csv_end_line(c);
	buf_free(&stack);
	free(path);
}

void report_branches_csv(struct report_output *o, const char *source,
			 const struct data_fold_options *fold)
{
	struct walk w = { .o = o, .source = source, .print = csv_branch };

	walk(&w, fold);
}

/* --- JSON: a flat list of branches; nested objects could be too deep for parsers --- */

static void json_branch(struct walk *w, const struct branch *b)
{
	struct json *j = &w->o->json;
	uint32_t *path;
	size_t nr, i;

	json_object(j, NULL, JSON_LINE);
	for (i = 0; w->group && i < w->o->order.keys.nr; i++)
		json_text(j, report_key_names[w->o->order.keys.key[i]], w->group->text[i]);
	json_u64(j, "depth", b->depth);
	json_u64(j, "total", b->total_count);
	if (b->hidden)
		json_u64(j, "hidden", b->hidden);
	if (b->hidden || b->is_group) {
		json_close(j);
		return;
	}
	json_u64(j, "self", b->self_count);
	json_array(j, "frames", JSON_LINE);
	path = path_to(w, b->first, b->last, &nr);
	for (i = 0; i < nr; i++)
		json_text(j, NULL, report_tree_name(&w->tree, path[i]));
	json_close(j);
	json_close(j);
	free(path);
}

void report_branches_json(struct report_output *o, const struct data_fold_options *fold)
{
	struct walk w = { .o = o, .print = json_branch };

	json_array(&o->json, "branches", JSON_LINES);
	walk(&w, fold);
	json_close(&o->json);
}
