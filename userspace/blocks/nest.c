// SPDX-License-Identifier: GPL-2.0-only
/*
 * nest.c - the inlined functions and the loops of a function, as a tree
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/nest.h"
#include "data/frames.h"
#include "index/place.h"
#include "lib/mem.h"

/* --- a tree --- */

/* Is it this function, called from there, or this loop? */
static bool is_like(const struct nest_node *a, const struct nest_node *b)
{
	if (a->head != b->head)
		return false;
	if (a->head != GRAPH_NONE)
		return true;
	return a->line == b->line && !a->file == !b->file && !strcmp(a->function, b->function) &&
	       (!a->file || !strcmp(a->file, b->file));
}

/* The child of a node that is like @wanted, a new one if there is none. */
static uint32_t child_of(struct nest *n, uint32_t parent, const struct nest_node *wanted)
{
	uint32_t last = NEST_NONE, i;

	for (i = n->node[parent].child; i != NEST_NONE; i = n->node[i].next) {
		if (is_like(&n->node[i], wanted))
			return i;
		last = i;
	}
	n->node = mem_grow(n->node, &n->node_room, n->nr + 1, sizeof(*n->node));
	n->node[n->nr] = *wanted;
	n->node[n->nr].parent = parent;
	n->node[n->nr].depth = n->node[parent].depth + 1;
	n->node[n->nr].child = NEST_NONE;
	n->node[n->nr].next = NEST_NONE;
	if (last == NEST_NONE)
		n->node[parent].child = n->nr;
	else
		n->node[last].next = n->nr;
	return n->nr++;
}

static void add_root(struct nest *n, const char *function)
{
	n->node = mem_grow(n->node, &n->node_room, 1, sizeof(*n->node));
	n->node[0] = (struct nest_node){
		.parent = NEST_NONE, .head = GRAPH_NONE, .function = function,
		.child = NEST_NONE, .next = NEST_NONE,
	};
	n->nr = 1;
}

uint32_t nest_next(const struct nest *n, uint32_t node)
{
	if (n->node[node].child != NEST_NONE)
		return n->node[node].child;
	while (node != NEST_NONE && n->node[node].next == NEST_NONE)
		node = n->node[node].parent;
	return node == NEST_NONE ? NEST_NONE : n->node[node].next;
}

/* The innermost node that both are below. */
static uint32_t meet(const struct nest *n, uint32_t a, uint32_t b)
{
	while (a != b) {
		if (n->node[a].depth >= n->node[b].depth)
			a = n->node[a].parent;
		else
			b = n->node[b].parent;
	}
	return a;
}

/* --- functions only: which inlined function each instruction and each loop is of --- */

struct making {
	struct nest *nest;
	const struct graph *g;
	const struct code_function *f;
	const struct data *names;
	struct nest chain;	/* of functions; ->of is by instruction */
	uint32_t *owner;	/* by block that is the head of a loop: a node of the chain */
};

static struct nest_node function_node(const struct frame *frame, size_t i)
{
	return (struct nest_node){
		.head = GRAPH_NONE, .function = frame[i].function,
		.file = frame[i + 1].file, .line = frame[i + 1].line,
	};
}

static void find_chains(struct making *m)
{
	uint32_t i, at;
	size_t nr, k;

	for (i = 0; i < m->f->nr; i++) {
		const struct frame *frame = frames_at(m->names, m->f->insn[i].addr, &nr);

		for (k = nr - 1, at = 0; k--; ) {
			const struct nest_node node = function_node(frame, k);

			at = child_of(&m->chain, at, &node);
		}
		m->chain.of[i] = at;
	}
}

static void find_owners(struct making *m)
{
	uint32_t i, k, head;

	for (i = 0; i < m->g->nr; i++)
		m->owner[i] = NEST_NONE;
	for (i = 0; i < m->g->nr; i++) {
		const struct graph_block *block = &m->g->block[i];

		for (head = block->loop; head != GRAPH_NONE; head = m->g->block[head].around)
			for (k = block->first; k < block->first + block->nr; k++)
				m->owner[head] = m->owner[head] == NEST_NONE ? m->chain.of[k] :
						 meet(&m->chain, m->owner[head], m->chain.of[k]);
	}
}

/* --- with loops --- */

static struct nest_node loop_node(const struct making *m, uint32_t head)
{
	const struct code_insn *insn = &m->f->insn[m->g->block[head].first];
	const struct nest_node *owner = &m->chain.node[m->owner[head]];
	struct nest_node node = { .head = head, .function = owner->function };
	size_t nr;
	const struct frame *frame = frames_at(m->names, insn->addr, &nr);

	/* What is inlined into the loop may come first: the line is that of the loop's function. */
	node.file = frame[nr - 1 - owner->depth].file;
	node.line = frame[nr - 1 - owner->depth].line;
	return node;
}

/* The loops of a function that a block is in, the outermost one first, below @at. */
static uint32_t add_loops(struct making *m, uint32_t at, uint32_t function, uint32_t head)
{
	struct nest_node node;

	if (head == GRAPH_NONE)
		return at;
	at = add_loops(m, at, function, m->g->block[head].around);
	if (m->owner[head] != function)
		return at;
	node = loop_node(m, head);
	return child_of(m->nest, at, &node);
}

/* The node for a function of the chain, as far as it is in a loop. */
static uint32_t add_function(struct making *m, uint32_t function, uint32_t loop)
{
	uint32_t at = 0;

	if (m->chain.node[function].parent != NEST_NONE) {
		at = add_function(m, m->chain.node[function].parent, loop);
		at = child_of(m->nest, at, &m->chain.node[function]);
	}
	return add_loops(m, at, function, loop);
}

static void find_nodes(struct making *m)
{
	uint32_t i, k;

	for (i = 0; i < m->g->nr; i++) {
		const struct graph_block *block = &m->g->block[i];

		for (k = block->first; k < block->first + block->nr; k++) {
			bool is_same = k > block->first && m->chain.of[k] == m->chain.of[k - 1];

			m->nest->of[k] = is_same ? m->nest->of[k - 1] :
					 add_function(m, m->chain.of[k], block->loop);
		}
	}
}

/* --- where inlined functions are entered --- */

/* Its node: the function itself, of those that the instruction belongs to. */
static void add_entry(const struct place_entry *e, void *arg)
{
	struct making *m = arg;
	struct nest *n = m->nest;
	uint32_t insn = code_function_find(m->f, e->addr), at;
	const struct nest_node wanted = {
		.head = GRAPH_NONE, .function = e->name, .file = e->file, .line = e->line,
	};

	if (insn == CODE_NOWHERE)
		return;
	for (at = n->of[insn]; at && !is_like(&n->node[at], &wanted); at = n->node[at].parent)
		;
	if (!at)
		return;
	n->entry = mem_grow(n->entry, &n->entry_room, n->nr_entries + 1, sizeof(*n->entry));
	n->entry[n->nr_entries++] = (struct nest_entry){ .node = at, .insn = insn };
}

void nest_make(struct nest *n, const struct graph *g, const struct code_function *f,
	       const struct data *names)
{
	struct making m = {
		.nest = n, .g = g, .f = f, .names = names,
		.owner = mem_zalloc((size_t)g->nr + 1, sizeof(*m.owner)),
	};

	n->of = mem_zalloc((size_t)f->nr + 1, sizeof(*n->of));
	m.chain.of = mem_zalloc((size_t)f->nr + 1, sizeof(*m.chain.of));
	add_root(n, f->part[0].symbol->name);
	add_root(&m.chain, n->node[0].function);
	find_chains(&m);
	find_owners(&m);
	find_nodes(&m);
	frames_each_entry(names, add_entry, &m);
	nest_free(&m.chain);
	free(m.owner);
}

void nest_free(struct nest *n)
{
	free(n->node);
	free(n->of);
	free(n->entry);
	*n = (struct nest){ .nr = 0 };
}
