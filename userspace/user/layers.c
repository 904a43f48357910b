// SPDX-License-Identifier: GPL-2.0-only
/*
 * layers.c - code that a process has generated: where one piece replaced another one, the last is
 * on top
 *
 * All addresses are visited once, from the lowest one up. A heap has what is there, with the last
 * one on top, and counters tell how many different names that has.
 */
#include <stdlib.h>
#include <string.h>

#include "kprof.h"
#include "lib/mem.h"
#include "user/layers.h"

void layers_add(struct layers *l, uint64_t start, uint64_t size, const char *name, size_t len)
{
	if (!size || start > KPROF_USER_MASK || size > KPROF_USER_MASK - start)
		return;
	l->item = mem_grow(l->item, &l->room, l->nr + 1, sizeof(*l->item));
	l->item[l->nr] = (struct layer){
		.start = start, .end = start + size, .order = l->nr,
		.name = strtab_add(&l->names, name, len), .other = STRTAB_NONE,
	};
	l->nr++;
}

/* --- what is at an address --- */

static int by_start(const void *va, const void *vb)
{
	const struct layer *const *a = va, *const *b = vb;

	if ((*a)->start != (*b)->start)
		return (*a)->start < (*b)->start ? -1 : 1;
	return (*a)->order < (*b)->order ? -1 : (*a)->order > (*b)->order;
}

static int by_end(const void *va, const void *vb)
{
	const struct layer *const *a = va, *const *b = vb;

	return (*a)->end < (*b)->end ? -1 : (*a)->end > (*b)->end;
}

/* A piece of what is on top. */
struct shown {
	uint64_t start, end;
	struct layer *layer;
};

struct sweep {
	struct layer **begins, **ends;	/* all, in the order of starts and of ends */
	size_t nr, begun, ended;
	struct layer **heap;		/* each is on top of the two behind it */
	size_t nr_heap;
	size_t *active;			/* for each name: how many with it are here */
	size_t nr_names;		/* how many different names are here */
	uint64_t sum_names;		/* and the sum of their numbers */
	struct shown *shown;
	size_t nr_shown, room;
};

static void swap(struct sweep *s, size_t i, size_t k)
{
	struct layer *item = s->heap[i];

	s->heap[i] = s->heap[k];
	s->heap[k] = item;
}

static void push(struct sweep *s, struct layer *layer)
{
	size_t i = s->nr_heap++;

	s->heap[i] = layer;
	for (; i && s->heap[(i - 1) / 2]->order < s->heap[i]->order; i = (i - 1) / 2)
		swap(s, i, (i - 1) / 2);
}

static void pop(struct sweep *s)
{
	size_t i = 0, k;

	s->heap[0] = s->heap[--s->nr_heap];
	for (; (k = 2 * i + 1) < s->nr_heap; i = k) {
		if (k + 1 < s->nr_heap && s->heap[k + 1]->order > s->heap[k]->order)
			k++;
		if (s->heap[i]->order >= s->heap[k]->order)
			return;
		swap(s, i, k);
	}
}

static void begin_at(struct sweep *s, uint64_t at)
{
	for (; s->begun < s->nr && s->begins[s->begun]->start == at; s->begun++) {
		struct layer *layer = s->begins[s->begun];

		push(s, layer);
		if (!s->active[layer->name]++) {
			s->nr_names++;
			s->sum_names += layer->name;
		}
	}
}

static void end_at(struct sweep *s, uint64_t at)
{
	for (; s->ended < s->nr && s->ends[s->ended]->end <= at; s->ended++) {
		uint32_t name = s->ends[s->ended]->name;

		if (!--s->active[name]) {
			s->nr_names--;
			s->sum_names -= name;
		}
	}
	while (s->nr_heap && s->heap[0]->end <= at)
		pop(s);
}

/* Of two names, the sum of their numbers tells the other one. */
static void note_others(const struct sweep *s, struct layer *top)
{
	uint32_t other = s->sum_names - top->name;

	if (s->nr_names < 2 || top->nr_others > 1)
		return;
	if (s->nr_names == 2 && (!top->nr_others || top->other == other)) {
		top->other = other;
		top->nr_others = 1;
		return;
	}
	top->other = STRTAB_NONE;
	top->nr_others = 2;
}

static void show(struct sweep *s, uint64_t start, uint64_t end)
{
	struct shown *last = s->nr_shown ? &s->shown[s->nr_shown - 1] : NULL;

	note_others(s, s->heap[0]);
	if (last && last->layer == s->heap[0] && last->end == start) {
		last->end = end;
		return;
	}
	s->shown = mem_grow(s->shown, &s->room, s->nr_shown + 1, sizeof(*s->shown));
	s->shown[s->nr_shown++] = (struct shown){ start, end, s->heap[0] };
}

static void visit(struct sweep *s)
{
	uint64_t at = 0, next;

	while (s->begun < s->nr || s->nr_heap) {
		next = s->begun < s->nr ? s->begins[s->begun]->start : UINT64_MAX;
		if (s->nr_heap) {
			next = s->heap[0]->end < next ? s->heap[0]->end : next;
			if (next > at)
				show(s, at, next);
		}
		at = next;
		end_at(s, at);
		begin_at(s, at);
	}
}

static struct sweep sweep(struct layers *l)
{
	struct sweep s = {
		.nr = l->nr,
		.begins = mem_zalloc(l->nr, sizeof(*s.begins)),
		.ends = mem_zalloc(l->nr, sizeof(*s.ends)),
		.heap = mem_zalloc(l->nr, sizeof(*s.heap)),
		.active = mem_zalloc(l->names.nr, sizeof(*s.active)),
	};
	size_t i;

	for (i = 0; i < l->nr; i++) {
		s.begins[i] = &l->item[i];
		s.ends[i] = &l->item[i];
	}
	qsort(s.begins, s.nr, sizeof(*s.begins), by_start);
	qsort(s.ends, s.nr, sizeof(*s.ends), by_end);
	visit(&s);
	free(s.begins);
	free(s.ends);
	free(s.heap);
	free(s.active);
	return s;
}

/* --- what that makes --- */

void layers_settle(struct layers *l)
{
	struct layers old = *l;
	struct sweep s;
	size_t i;

	if (!l->nr)
		return;
	s = sweep(&old);
	l->item = NULL;
	l->nr = 0;
	l->room = 0;
	for (i = 0; i < s.nr_shown; i++) {
		const struct shown *one = &s.shown[i];
		const struct strtab_entry *name = &l->names.name[one->layer->name];

		layers_add(l, one->start, one->end - one->start, name->text, name->len);
	}
	free(s.shown);
	free(old.item);
}

void layers_show(struct layers *l, struct user_functions *f)
{
	const char **text;
	struct sweep s;
	size_t i;

	if (!l->nr)
		return;
	s = sweep(l);
	text = mem_zalloc(l->names.nr, sizeof(*text));
	for (i = 0; i < l->names.nr; i++)
		text[i] = arena_copy(&f->names, l->names.name[i].text, l->names.name[i].len);
	for (i = 0; i < s.nr_shown; i++) {
		const struct shown *one = &s.shown[i];
		const struct layer *layer = one->layer;

		user_functions_add_named(f, one->start, one->end - one->start, text[layer->name],
					 0);
		f->item[f->nr - 1].nr_others = layer->nr_others;
		f->item[f->nr - 1].other = layer->nr_others == 1 ? text[layer->other] : NULL;
	}
	free(text);
	free(s.shown);
	free(l->item);
	strtab_free(&l->names);
	*l = (struct layers){ 0 };
}
