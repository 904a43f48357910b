// SPDX-License-Identifier: GPL-2.0-only
/*
 * top_rows.c - functions, the callers of one, or cgroups with their time, from an interval's stacks
 */
#include <stdlib.h>
#include <string.h>

#include "data/cgroups.h"
#include "data/filter.h"
#include "lib/mem.h"
#include "top/top.h"
#include "top/top_cgroups.h"

const char *const top_sort_names[] = { "self", "total", "name", NULL };

/* The state while the rows of an interval are added up. */
struct work {
	const struct folded *stacks;
	const struct top_view *view;
	bool has_cgroups;
	uint32_t path[TOP_DEPTH];	/* view->path, as names of @stacks */
	folded_count *self, *total;	/* by name */
	uint32_t *counted;		/* by name: the stack that was added to its total last */
	uint32_t *frame;		/* names of a stack, leaf first; the last is the task's */
	size_t nr, room;
	uint32_t cgroup;		/* of that task, as a name; STRTAB_NONE: not known */
	folded_count without;		/* nanoseconds of tasks whose cgroup is not known */
};

static const char *name_of(const struct work *w, uint32_t name)
{
	return w->stacks->names.name[name].text;
}

static void take_frames(struct work *w, uint32_t node)
{
	const struct folded_node *nodes = w->stacks->node;

	w->cgroup = STRTAB_NONE;
	for (w->nr = 0; node; node = nodes[node].parent) {
		if (w->nr == w->room) {
			w->room = 2 * w->room + 64;
			w->frame = mem_realloc(w->frame, w->room, sizeof(*w->frame));
		}
		w->frame[w->nr++] = nodes[node].name;
	}
	if (w->has_cgroups && w->nr > 1 && top_cgroup_path(name_of(w, w->frame[w->nr - 1])))
		w->cgroup = w->frame[--w->nr];
}

static void add_functions(struct work *w, uint32_t stack, folded_count count)
{
	size_t i;

	w->self[w->frame[0]] += count;
	/* A function that calls itself has the time once. */
	for (i = 0; i + 1 < w->nr; i++) {
		if (w->counted[w->frame[i]] == stack)
			continue;
		w->counted[w->frame[i]] = stack;
		w->total[w->frame[i]] += count;
	}
}

/* Where the path begins in the stack. Of a function that calls itself, it is the first call. */
static bool find_path(const struct work *w, size_t *at)
{
	size_t depth = w->view->depth, i;

	for (i = w->nr - 1; i > 0; i--) {
		if (w->frame[i - 1] != w->path[0])
			continue;
		*at = i - 1;
		return *at + depth < w->nr &&
		       !memcmp(w->frame + *at, w->path, depth * sizeof(*w->path));
	}
	return false;
}

/* The caller of the outermost function is the task. */
static void add_callers(struct work *w, folded_count count)
{
	uint32_t caller;
	size_t at;

	if (!find_path(w, &at))
		return;
	caller = w->frame[at + w->view->depth];
	w->total[caller] += count;
	if (w->frame[0] == w->path[0])
		w->self[caller] += count;
}

static void add_cgroup(struct work *w, folded_count count)
{
	if (w->cgroup == STRTAB_NONE)
		w->without += count;
	else
		w->self[w->cgroup] += count;
}

static bool is_shown(const struct work *w)
{
	const struct top_view *view = w->view;
	const char *comm = name_of(w, w->frame[w->nr - 1]);
	const char *path = w->cgroup == STRTAB_NONE ? CGROUPS_NONE :
			   top_cgroup_path(name_of(w, w->cgroup));

	return (!*view->comm || filter_matches(view->comm, comm)) &&
	       (!*view->cgroup || filter_matches(view->cgroup, path)) &&
	       (!view->inside || top_cgroup_is_below(path, view->inside));
}

static void add_stacks(struct work *w, struct top_rows *rows)
{
	folded_count count;
	uint32_t i;

	for (i = 1; i < w->stacks->nr_nodes; i++) {
		count = w->stacks->self[i].after;
		if (count <= 0)
			continue;
		take_frames(w, i);
		if (!is_shown(w))
			continue;
		rows->sum += count;
		if (w->view->by_cgroup)
			add_cgroup(w, count);
		else if (w->view->depth)
			add_callers(w, count);
		else if (w->nr > 1)
			add_functions(w, i, count);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct top_row *)a)->name, ((const struct top_row *)b)->name);
}

static int by_self(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return by_name(a, b);
}

static int by_total(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return by_self(a, b);
}

static void sort(struct top_rows *rows, enum top_sort order)
{
	int (*const compare[])(const void *, const void *) = { by_self, by_total, by_name };

	if (rows->nr)
		qsort(rows->row, rows->nr, sizeof(*rows->row), compare[order]);
}

static void take_rows(struct top_rows *rows, const struct work *w)
{
	const struct strtab *names = &w->stacks->names;
	uint32_t i;

	rows->row = mem_zalloc(names->nr + 1, sizeof(*rows->row));
	for (i = 0; i < names->nr; i++) {
		if (!w->total[i])
			continue;
		rows->row[rows->nr++] = (struct top_row){
			.name = names->name[i].text, .self = w->self[i], .total = w->total[i],
		};
	}
}

/* Keep the rows whose names have the text that the user has asked for. */
static void keep_named(struct top_rows *rows, const char *text)
{
	size_t i, nr = 0;

	for (i = 0; i < rows->nr; i++)
		if (strcasestr(rows->row[i].name, text))
			rows->row[nr++] = rows->row[i];
	rows->nr = nr;
}

void top_rows(struct top_rows *rows, const struct top_interval *t, const struct top_view *view)
{
	const struct strtab *names = &t->stacks.names;
	struct work w = { .stacks = &t->stacks, .view = view, .has_cgroups = t->has_cgroups };
	size_t i;

	*rows = (struct top_rows){ 0 };
	for (i = 0; i < view->depth; i++)
		w.path[i] = strtab_find(names, view->path[i], strlen(view->path[i]));
	w.self = mem_zalloc(names->nr + 1, sizeof(*w.self));
	w.total = mem_zalloc(names->nr + 1, sizeof(*w.total));
	w.counted = mem_zalloc(names->nr + 1, sizeof(*w.counted));
	add_stacks(&w, rows);
	if (view->by_cgroup)
		top_cgroup_rows(rows, names, w.self, w.without);
	else
		take_rows(rows, &w);
	keep_named(rows, view->text);
	sort(rows, view->sort);
	free(w.self);
	free(w.total);
	free(w.counted);
	free(w.frame);
}

void top_rows_free(struct top_rows *rows)
{
	free(rows->row);
	strtab_free(&rows->paths);
	*rows = (struct top_rows){ 0 };
}

bool top_view_enter(struct top_view *view, const char *row)
{
	if (view->by_cgroup) {
		view->inside = mem_strdup(row);
		view->by_cgroup = false;
		return true;
	}
	if (view->depth == TOP_DEPTH)
		return false;
	view->path[view->depth++] = mem_strdup(row);
	return true;
}

bool top_view_leave(struct top_view *view)
{
	if (view->depth) {
		free(view->path[--view->depth]);
		return true;
	}
	if (!view->inside)
		return false;
	free(view->inside);
	view->inside = NULL;
	view->by_cgroup = true;
	return true;
}
