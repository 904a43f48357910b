// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded.c - the call tree: add stacks to it, and walk it
 *
 * A child is found in a hash table by parent and name. Most stacks begin like
 * the one before, so the path of the last stack is kept and tried first.
 */
#include <stdlib.h>
#include <string.h>

#include "data/compiler_clone.h"
#include "data/folded.h"
#include "lib/arena.h"
#include "lib/buf.h"
#include "lib/escape.h"
#include "lib/mem.h"

#define NO_PARENT	UINT32_MAX	/* plus one is 0, which sorts first */

/* --- names and nodes --- */

static uint32_t hash_node(struct folded_node node)
{
	return hash_number(node.parent, node.name);
}

static bool is_name(const struct strtab_entry *n, const struct folded_frame *frame)
{
	return n->len == frame->len && !memcmp(n->text, frame->text, n->len);
}

static bool is_utf8(const struct folded_frame *frame)
{
	const char *p = frame->text, *end = p + frame->len;

	while (p < end)
		if (escape_next(&p, end) == ESCAPE_INVALID)
			return false;
	return true;
}

/* Add a name that has unsafe characters: escape it. */
static uint32_t add_odd_name(struct folded *f, const struct folded_frame *frame)
{
	struct buf plain = { 0 };
	uint32_t index;

	if (!is_utf8(frame))
		folded_note_odd(&f->not_utf8, f->lines);
	escape_add(&plain, frame->text, frame->len);
	index = strtab_add(&f->names, plain.data, plain.len);
	buf_free(&plain);
	return index;
}

static uint32_t intern(struct folded *f, const struct folded_frame *frame)
{
	uint32_t index = strtab_find(&f->names, frame->text, frame->len);

	if (index != STRTAB_NONE)
		return index;
	if (!escape_is_plain_text(frame->text, frame->len))
		return add_odd_name(f, frame);
	return strtab_add(&f->names, frame->text, frame->len);
}

static uint32_t add_node(struct folded *f, struct folded_node node)
{
	uint32_t index = f->nr_nodes++, i;

	f->node = mem_grow(f->node, &f->node_room, f->nr_nodes, sizeof(*f->node));
	f->self = mem_grow(f->self, &f->self_room, f->nr_nodes, sizeof(*f->self));
	f->node[index] = node;
	f->self[index] = (struct folded_self) { 0, 0 };
	if (f->mode & FOLDED_IN_ORDER) {
		f->start = mem_grow(f->start, &f->start_room, f->nr_nodes, sizeof(*f->start));
		f->start[index] = f->total;
		return index;	/* not in the hash table: found through the path only */
	}
	if (hash_grow(&f->nodes, f->nr_nodes))
		for (i = 0; i < index; i++)
			hash_put(&f->nodes, hash_node(f->node[i]), i);
	hash_put(&f->nodes, hash_node(node), index);
	return index;
}

/* Returns 0, which is not a child of any node, if there is none. */
static uint32_t find_node(const struct folded *f, struct folded_node node)
{
	uint32_t i;

	hash_each(i, &f->nodes, hash_node(node)) {
		const struct folded_node *there = &f->node[hash_at(&f->nodes, i)];

		if (there->parent == node.parent && there->name == node.name)
			return hash_at(&f->nodes, i);
	}
	return 0;
}

static uint32_t find_or_add_node(struct folded *f, struct folded_node node)
{
	uint32_t index = find_node(f, node);

	return index ? index : add_node(f, node);
}

static uint32_t child(struct folded *f, uint32_t parent, const struct folded_frame *frame)
{
	struct folded_node node = { .parent = parent };
	uint32_t guess = parent + 1;

	/* The first child of a node was often added right after it, and is often the hot one. */
	if (!(f->mode & FOLDED_IN_ORDER) && guess < f->nr_nodes &&
	    f->node[guess].parent == parent && is_name(&f->names.name[f->node[guess].name], frame))
		return guess;
	node.name = intern(f, frame);
	return f->mode & FOLDED_IN_ORDER ? add_node(f, node) : find_or_add_node(f, node);
}

/* --- adding --- */

void folded_init(struct folded *f, unsigned int mode)
{
	static const struct folded_frame nameless = { .text = "", .len = 0 };

	memset(f, 0, sizeof(*f));
	f->mode = mode;
	hash_grow(&f->nodes, 0);
	child(f, NO_PARENT, &nameless);
}

void folded_free(struct folded *f)
{
	free(f->node);
	free(f->self);
	free(f->start);
	free(f->path);
	hash_free(&f->nodes);
	strtab_free(&f->names);
	memset(f, 0, sizeof(*f));
}

/* Is this frame of the last stack the same? */
static bool is_on_path(const struct folded *f, size_t depth, const struct folded_frame *frame)
{
	return depth < f->depth && is_name(&f->names.name[f->node[f->path[depth]].name], frame);
}

uint32_t folded_step_to(struct folded *f, size_t depth, const struct folded_frame *frame)
{
	uint32_t parent = depth ? f->path[depth - 1] : 0, node;

	if (is_on_path(f, depth, frame))
		return f->path[depth];
	node = child(f, parent, frame);
	f->path = mem_grow(f->path, &f->path_room, depth + 1, sizeof(*f->path));
	f->path[depth] = node;
	f->depth = depth + 1;
	return node;
}

void folded_count_path(struct folded *f, size_t depth, const struct folded_self *count)
{
	struct folded_self *self = &f->self[depth ? f->path[depth - 1] : 0];

	f->depth = depth;
	self->before += count->before;
	self->after += count->after;
	f->total += count->after;
}

/* A name, or a copy in @b, without what has a meaning in folded text. It is escaped elsewhere. */
static struct folded_frame fit_name(struct buf *b, struct folded_frame frame)
{
	char *at;

	if (!frame.len)
		frame = folded_frame("[unknown]");
	if (!memchr(frame.text, ';', frame.len))
		return frame;
	b->len = 0;
	buf_add(b, frame.text, frame.len);
	at = b->data;
	while ((at = memchr(at, ';', b->data + frame.len - at)))
		*at = ':';
	frame.text = b->data;
	return frame;
}

void folded_add(struct folded *f, const struct folded_frame *frames, size_t nr, uint64_t count)
{
	const struct folded_self counts = { .after = count };
	bool turn = f->mode & FOLDED_LEAF_FIRST;
	struct buf name = { 0 };
	size_t i;

	for (i = 0; i < nr; i++) {
		struct folded_frame frame = frames[turn ? nr - 1 - i : i];

		/* A name that is there already fits. */
		if (is_on_path(f, i, &frame))
			continue;
		frame = fit_name(&name, frame);
		folded_step_to(f, i, &frame);
	}
	folded_count_path(f, nr, &counts);
	buf_free(&name);
}

uint32_t folded_find(const struct folded *f, uint32_t parent, const char *name)
{
	struct buf fit = { 0 }, plain = { 0 };
	const struct folded_frame frame = fit_name(&fit, folded_frame(name));
	struct folded_node node = { .parent = parent };

	escape_add(&plain, frame.text, frame.len);
	node.name = strtab_find(&f->names, plain.data, plain.len);
	buf_free(&fit);
	buf_free(&plain);
	return node.name == STRTAB_NONE ? 0 : find_node(f, node);
}

/* --- walking --- */

folded_count *folded_totals(const struct folded *f)
{
	folded_count *total = mem_realloc(NULL, f->nr_nodes, sizeof(*total));
	uint32_t i;

	for (i = 0; i < f->nr_nodes; i++)
		total[i] = f->self[i].after;
	for (i = f->nr_nodes - 1; i > 0; i--)
		total[f->node[i].parent] += total[i];
	return total;
}

/* A name and what follows it in a line: a count if the stack ends there, else ";". */
struct sort_name {
	const struct strtab_entry *name;
	const char *behind;
	uint32_t form;		/* 2 * name + 1 where the stack ends */
};

static unsigned char byte_at(const struct sort_name *s, size_t i)
{
	if (i < s->name->len)
		return (unsigned char)s->name->text[i];
	return (unsigned char)s->behind[i - s->name->len];
}

static int compare_names(const void *pa, const void *pb)
{
	const struct sort_name *a = pa, *b = pb;
	size_t i = a->name->len < b->name->len ? a->name->len : b->name->len;
	int diff = memcmp(a->name->text, b->name->text, i);

	/* Compare what is beyond the shorter name, until one text ends or they differ. */
	while (!diff && byte_at(a, i) && byte_at(b, i)) {
		diff = byte_at(a, i) - byte_at(b, i);
		i++;
	}
	/* The text that has ended is less; otherwise the order would not be transitive. */
	if (!diff)
		diff = byte_at(a, i) - byte_at(b, i);
	return diff ? diff : (a->form > b->form) - (a->form < b->form);
}

/* The rank of the two forms of each name in sorted text. */
static uint32_t *rank_names(const struct folded *f)
{
	struct sort_name *s = mem_realloc(NULL, 2ul * f->names.nr, sizeof(*s));
	uint32_t *rank = mem_realloc(NULL, 2ul * f->names.nr, sizeof(*rank));
	uint32_t i;

	for (i = 0; i < 2 * f->names.nr; i++) {
		const struct strtab_entry *name = &f->names.name[i / 2];

		s[i] = (struct sort_name) { name, i & 1 ? " 0" : ";", i };
		if (i & 1 && folded_ends_in_count(name->text, name->len))
			s[i].behind = "; 0";
	}
	qsort(s, 2ul * f->names.nr, sizeof(*s), compare_names);
	for (i = 0; i < 2 * f->names.nr; i++)
		rank[s[i].form] = i;
	free(s);
	return rank;
}

/* Stable sort of @nr indices by key[index]; all keys are less than @keys. */
static void sort_by_key(uint32_t *index, uint32_t nr, const uint32_t *key, uint32_t keys)
{
	uint32_t *place = mem_zalloc(keys + 1ul, sizeof(*place));
	uint32_t *old = mem_realloc(NULL, nr, sizeof(*old));
	uint32_t i;

	memcpy(old, index, nr * sizeof(*old));
	for (i = 0; i < nr; i++)
		place[key[i] + 1]++;
	for (i = 0; i < keys; i++)
		place[i + 1] += place[i];
	for (i = 0; i < nr; i++)
		index[place[key[old[i]]]++] = old[i];
	free(old);
	free(place);
}

/* All nodes, sorted by parent, then in order; the root comes first. */
static uint32_t *sort_siblings(const struct folded *f, uint32_t *parents)
{
	uint32_t *sorted = mem_realloc(NULL, f->nr_nodes, sizeof(*sorted));
	uint32_t i;

	for (i = 0; i < f->nr_nodes; i++)
		sorted[i] = i;
	if (!(f->mode & FOLDED_IN_ORDER)) {
		uint32_t *rank = rank_names(f);
		uint32_t *key = mem_realloc(NULL, f->nr_nodes, sizeof(*key));

		for (i = 0; i < f->nr_nodes; i++)
			key[i] = rank[2 * f->node[i].name + folded_has_count(&f->self[i])];
		sort_by_key(sorted, f->nr_nodes, key, 2 * f->names.nr);
		free(key);
		free(rank);
	}
	for (i = 0; i < f->nr_nodes; i++)
		parents[i] = f->node[i].parent + 1;
	sort_by_key(sorted, f->nr_nodes, parents, f->nr_nodes + 1);
	return sorted;
}

uint32_t *folded_walk(const struct folded *f)
{
	uint32_t *parents = mem_realloc(NULL, f->nr_nodes, sizeof(*parents));
	uint32_t *sorted = sort_siblings(f, parents);
	uint32_t *last = mem_zalloc(f->nr_nodes, sizeof(*last));	/* child, in sorted */
	uint32_t *walk = mem_realloc(NULL, f->nr_nodes, sizeof(*walk));
	uint32_t *todo = parents;		/* reuse: its contents are not needed any more */
	uint32_t i, nr = 0, nr_todo = 0;

	for (i = 1; i < f->nr_nodes; i++)
		last[f->node[sorted[i]].parent] = i;
	todo[nr_todo++] = 0;
	while (nr_todo) {
		uint32_t node = todo[--nr_todo];

		walk[nr++] = node;
		for (i = last[node]; i > 0 && f->node[sorted[i]].parent == node; i--)
			todo[nr_todo++] = sorted[i];
	}
	free(parents);
	free(sorted);
	free(last);
	return walk;
}

/* --- two sets --- */

bool folded_has_clones(const struct folded *f)
{
	struct buf function = { 0 };
	bool has = false;
	uint32_t i;

	for (i = 0; i < f->names.nr && !has; i++)
		has = compiler_clone_of(f->names.name[i].text, f->names.name[i].len, &function);
	buf_free(&function);
	return has;
}

/* Each name of @from as a frame: of a copy that the compiler made, the function. */
static struct folded_frame *functions_of(const struct folded *from, struct arena *arena)
{
	struct folded_frame *function = mem_zalloc(from->names.nr, sizeof(*function));
	struct buf name = { 0 };
	uint32_t i;

	for (i = 0; i < from->names.nr; i++) {
		const struct strtab_entry *own = &from->names.name[i];

		if (compiler_clone_of(own->text, own->len, &name))
			function[i] = folded_frame(arena_copy(arena, name.data, name.len));
		else
			function[i] = (struct folded_frame){ .text = own->text, .len = own->len };
	}
	buf_free(&name);
	return function;
}

/* The frames of the path to a node, in the order in which they are added to @f. */
static size_t frames_to(const struct folded *f, const struct folded *from, uint32_t node,
			const struct folded_frame *function, struct folded_frame **frame,
			size_t *room)
{
	size_t depth = 0, i;
	uint32_t at;

	for (at = node; at; at = from->node[at].parent)
		depth++;
	*frame = mem_grow(*frame, room, depth, sizeof(**frame));
	for (at = node, i = 0; at; at = from->node[at].parent, i++)
		(*frame)[f->mode & FOLDED_LEAF_FIRST ? i : depth - 1 - i] =
			function[from->node[at].name];
	return depth;
}

void folded_add_side(struct folded *f, const struct folded *from, bool before)
{
	struct arena arena = { 0 };
	struct folded_frame *function = functions_of(from, &arena), *frame = NULL;
	uint32_t *walk = folded_walk(from);
	size_t depth, d, room = 0;
	uint32_t i;

	f->differential = true;
	for (i = 0; i < from->nr_nodes; i++) {
		const struct folded_self *self = &from->self[walk[i]];

		if (!folded_has_count(self))
			continue;
		depth = frames_to(f, from, walk[i], function, &frame, &room);
		for (d = 0; d < depth; d++)
			folded_step_to(f, d, &frame[d]);
		folded_count_path(f, depth, &(struct folded_self){
			.before = before ? self->after : 0, .after = before ? 0 : self->after,
		});
	}
	free(frame);
	free(function);
	free(walk);
	arena_free(&arena);
}
